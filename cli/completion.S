/* The completion files as they are, between two labels each (gcc 12 has no #embed). */
    .section .rodata
    .macro embed name, file
    .global \name
    .global \name\()_end
\name:
    .incbin "\file"
\name\()_end:
    .byte 0
    .endm

    embed completion_bash, "tenon.bash"
    embed completion_zsh, "_tenon"
    embed completion_fish, "tenon.fish"

    .section .note.GNU-stack, "", %progbits
