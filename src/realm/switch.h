/* Changing stacks: onto the guest's native stack and, for host functions, back for a while.
 *
 * The guest runs on a stack of its own, since its recursion is the program's doing and the
 * embedder's thread may have little. Leaving it early is not a longjmp: the saved stack pointer of
 * the host is put back and the call of switch_enter returns 1. Nothing on the abandoned stack is
 * ever returned to; it holds no locks and owns no memory. */
#ifndef TENON_SWITCH_H
#define TENON_SWITCH_H

/**
 * Run `run(argument)` on the stack that ends at `stack_top` (16-byte aligned).
 *
 * `*save_sp` is set before the first instruction of `run` and holds until the return: 0 when `run`
 * returned, 1 when it was left by switch_leave or switch_landing.
 */
int switch_enter(void **save_sp, void *stack_top, void (*run)(void *), void *argument);

/** Abandon the current stack; the switch_enter that saved `saved_sp` returns 1. */
_Noreturn void switch_leave(void *saved_sp);

/** For a signal handler: set the program counter here and the stack pointer to the saved one. */
void switch_landing(void);

/** From the guest's stack: run `run(argument)` on the host's, below what is saved there. */
void switch_call(void *saved_sp, void (*run)(void *), void *argument);

#endif
