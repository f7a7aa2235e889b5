// title: text that would be too long is a RangeError
// expect: value:["RangeError","RangeError","RangeError"]
const caught = [];
const long = 'x'.repeat(2 ** 20);
for (const attempt of [
  () => { let rope = long; for (let i = 0; i < 11; i++) rope += rope; },
  () => long.repeat(2 ** 12),
  () => 'a'.padEnd(2 ** 31, long),
]) {
  try { attempt(); caught.push('it went well'); } catch (e) { caught.push(e.name); }
}
caught;
