/* The bundled prelude as bytes: PRELUDE_FILE is the path of the packed build/prelude.js. */
        .section .rodata
        .globl  prelude_start
        .hidden prelude_start
        .globl  prelude_end
        .hidden prelude_end
prelude_start:
        .incbin PRELUDE_FILE
prelude_end:
        .byte   0
        .section .note.GNU-stack, "", @progbits
