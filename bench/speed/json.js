// Parsing and writing JSON.
(function () {
  const list = [];
  for (let i = 0; i < 4000; i++)
    list.push({ id: i, name: 'item ' + i, tags: ['a' + i % 7, 'b'], price: i / 8, open: i % 3 === 0,
                nested: { a: null, b: [1, 2, 3], c: { text: 'line\n"quoted" \u00e4' } } });
  let sum = 0;
  for (let round = 0; round < 4; round++) {
    const text = JSON.stringify(list);
    const back = JSON.parse(text);
    sum += text.length + back[17].nested.b[2] + back.length;
  }
  sum += JSON.stringify(list.slice(0, 1000), null, 2).length;
  return sum;
})()
