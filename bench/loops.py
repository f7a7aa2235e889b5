items = []
for i in range(20):
    items.append({'id': i, 'name': 'item ' + str(i), 'price': (i * 37) % 101})
cheap = [item for item in items if item['price'] < 50]
total = sum([item['price'] for item in cheap])
names = [item['name'].upper() for item in cheap]
by_length = {}
for name in names:
    by_length[str(len(name))] = by_length.get(str(len(name)), 0) + 1
text = ', '.join(names[:3])
{'total': total, 'count': len(cheap), 'byLength': by_length, 'text': text}
