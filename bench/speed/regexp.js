// Patterns over text: searching, groups, replacing, alternatives, backtracking.
(function () {
  let text = '';
  for (let i = 0; i < 3000; i++)
    text += `2026-${String(i % 12 + 1).padStart(2, '0')}-${String(i % 28 + 1).padStart(2, '0')} `
      + `user${i}@mail${i % 13}.example.org "quoted ${i}" ${i}.${i % 100}\n`;
  let sum = 0;
  for (const m of text.matchAll(/(\d{4})-(\d\d)-(\d\d)/g)) sum += +m[2] + +m[3];
  for (const m of text.matchAll(/[\w.]+@([\w.]+)\.org/g)) sum += m[1].length;
  sum += text.replace(/"([^"]*)"/g, (all, inner) => inner.toUpperCase()).length;
  sum += text.split(/\s+/).length;
  sum += (text.match(/\b(?:user1\d*|mail7|quoted 29\d\d)\b/g) || []).length;
  for (const line of text.split('\n')) if (/^(.*?)(\d+)\.(\d+)$/.test(line)) sum++;
  sum += 'aaaaaaaaaaaaaaaaaaaa'.repeat(1).replace(/(a*)*b/, '').length;
  return sum;
})()
