/* The types of fetch as bytes: FETCH_FILE is the path of fetch.d.ts. */
        .section .rodata
        .globl  fetch_declarations
        .hidden fetch_declarations
        .globl  fetch_declarations_end
        .hidden fetch_declarations_end
fetch_declarations:
        .incbin FETCH_FILE
fetch_declarations_end:
        .byte   0
        .section .note.GNU-stack, "", @progbits
