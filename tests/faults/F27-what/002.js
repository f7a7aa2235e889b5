// mode: text
// expect: denied
// also: finding TN1003 * python
// ---
def total(xs):
    return sum(x for x in xs if x is not None)

print(f"{total([1, 2])}")
