orders = [{'id': 1, 'total': 40}, {'id': 2, 'total': 75}, {'id': 3, 'total': 20}]
sum_ = 0
for order in orders: sum_ += order['total']
large = [order for order in orders if order['total'] > 30]
ids = [order['id'] for order in large]
report = {'sum': sum_, 'count': len(large)}
report['mean'] = sum_ / len(orders)
names = list(report.keys())
text = ', '.join(names)
{'ids': ids, 'text': text, 'report': report}
