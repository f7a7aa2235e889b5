// Building, cutting, searching, comparing text.
(function () {
  let text = '', sum = 0;
  for (let i = 0; i < 60000; i++) text += 'word' + (i % 977) + ' ';
  const words = text.split(' ');
  for (const word of words) sum += word.length + word.charCodeAt(word.length >> 1) % 3 | 0;
  for (let i = 0; i < 200; i++) sum += text.indexOf('word976 word0', i * 500);
  const upper = words.slice(0, 20000).map(w => w.toUpperCase() + w.slice(1, 3).padStart(5, '-'));
  upper.sort();
  const joined = upper.join(',');
  for (let i = 0; i < 200000; i++) if (joined[i] === 'W') sum++;
  const parts = [];
  for (let i = 0; i < 40000; i++) parts.push(`${i}:${i * 3}`);
  sum += parts.join('').length;
  sum += text.replaceAll('word1', 'WORD ONE ').length;
  for (let i = 0; i < 20000; i++) sum += words[i] < words[i + 1] ? 1 : 0;
  return sum;
})()
