// Each thought depends on the one before; then a branch, and revisions side by side.
let last = { thoughtNumber: 0, totalThoughts: 4, nextThoughtNeeded: true };
const seen: number[] = [];
while (last.nextThoughtNeeded) {
  const thoughtNumber = last.thoughtNumber + 1;
  last = await thinking.sequentialthinking({
    thought: `step ${thoughtNumber}`, thoughtNumber, totalThoughts: 4, nextThoughtNeeded: thoughtNumber < 4 });
  seen.push(last.thoughtNumber);
}
const branch = await thinking.sequentialthinking({
  thought: "or else", thoughtNumber: 5, totalThoughts: 5, nextThoughtNeeded: false, branchFromThought: 2, branchId: "b" });
const revised = await Promise.all([1, 2, 3].map(revisesThought => thinking.sequentialthinking({
  thought: `again ${revisesThought}`, thoughtNumber: 5 + revisesThought, totalThoughts: 8, nextThoughtNeeded: false,
  isRevision: true, revisesThought })));
return { seen, branches: branch.branches, history: Math.max(...revised.map(r => r.thoughtHistoryLength)) };
