const items = [];
for (let i = 0; i < 20; i++)
  items.push({ id: i, name: 'item ' + i, price: (i * 37) % 101 });
const cheap = items.filter(item => item.price < 50);
const total = cheap.reduce((sum, item) => sum + item.price, 0);
const names = cheap.map(item => item.name.toUpperCase());
const byLength = {};
for (const name of names) byLength[name.length] = (byLength[name.length] || 0) + 1;
const text = names.slice(0, 3).join(', ');
({ total, count: cheap.length, byLength, text })
