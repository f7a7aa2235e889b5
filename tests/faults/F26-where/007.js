// title: in a generator, in a class, by name
// expect: js-error:Error
// also: line 7
// also: stack step
// also: stack program.js:9:
class Machine {
  *step() { yield 1; throw new Error("stuck"); }
}
for (const x of new Machine().step());
