const orders = [{ id: 1, total: 40 }, { id: 2, total: 75 }, { id: 3, total: 20 }];
let sum = 0;
for (const order of orders) sum += order.total;
const large = orders.filter(order => order.total > 30);
const ids = large.map(order => order.id);
const report = { sum, count: large.length };
report.mean = sum / orders.length;
const names = Object.keys(report);
const text = names.join(', ');
({ ids, text, report })
