/* realm.d.ts as bytes: REALM_FILE is its path. */
        .section .rodata
        .globl  realm_declarations
        .hidden realm_declarations
        .globl  realm_declarations_end
        .hidden realm_declarations_end
realm_declarations:
        .incbin REALM_FILE
realm_declarations_end:
        .byte   0
        .section .note.GNU-stack, "", @progbits
