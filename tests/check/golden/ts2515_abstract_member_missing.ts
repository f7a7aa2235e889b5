abstract class Task { abstract run(): void; }
export class Sweep extends Task {}
//! TS2515 2:14-2:19 Class `Sweep` does not implement `run`, which is abstract in `Task`.
