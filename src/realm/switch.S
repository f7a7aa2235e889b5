/* Changing stacks (x86-64, System V): the only assembly in the tree. See switch.h. */
        .text

/* int switch_enter(void **save_sp, void *stack_top, void (*run)(void *), void *argument) */
        .globl  switch_enter
        .hidden switch_enter
        .type   switch_enter, @function
        .balign 16
switch_enter:
        .cfi_startproc
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        subq    $8, %rsp
        stmxcsr (%rsp)
        fnstcw  4(%rsp)
        movq    %rsp, (%rdi)            /* from here on, switch_leave may end this call */
        movq    %rdi, %rbx              /* kept across run(): callee-saved */
        movq    %rsi, %rsp
        movq    %rcx, %rdi
        xorl    %ebp, %ebp              /* a debugger's walk ends here */
        callq   *%rdx
        movq    (%rbx), %rsp
        xorl    %eax, %eax
.Lrestore:
        ldmxcsr (%rsp)
        fldcw   4(%rsp)
        addq    $8, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        retq
        .cfi_endproc
        .size   switch_enter, . - switch_enter

/* Where an interrupted thread goes on, its stack pointer already put back to *save_sp. */
        .globl  switch_landing
        .hidden switch_landing
        .type   switch_landing, @function
        .balign 16
switch_landing:
        cld
        movl    $1, %eax
        jmp     .Lrestore
        .size   switch_landing, . - switch_landing

/* _Noreturn void switch_leave(void *saved_sp) */
        .globl  switch_leave
        .hidden switch_leave
        .type   switch_leave, @function
        .balign 16
switch_leave:
        movq    %rdi, %rsp
        jmp     switch_landing
        .size   switch_leave, . - switch_leave

/* void switch_call(void *saved_sp, void (*run)(void *), void *argument) */
        .globl  switch_call
        .hidden switch_call
        .type   switch_call, @function
        .balign 16
switch_call:
        .cfi_startproc
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        movq    %rsp, %rbp
        leaq    -128(%rdi), %rsp        /* clear of the red zone of what is saved there */
        andq    $-16, %rsp
        movq    %rdx, %rdi
        callq   *%rsi
        movq    %rbp, %rsp
        popq    %rbp
        .cfi_adjust_cfa_offset -8
        retq
        .cfi_endproc
        .size   switch_call, . - switch_call

        .section .note.GNU-stack, "", @progbits
