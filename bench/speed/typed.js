// Typed arrays and integers: a sieve, a matrix product, a hash.
(function () {
  const size = 400000, sieve = new Uint8Array(size);
  let sum = 0;
  for (let i = 2; i * i < size; i++)
    if (!sieve[i]) for (let j = i * i; j < size; j += i) sieve[j] = 1;
  for (let i = 2; i < size; i++) if (!sieve[i]) sum++;
  const n = 60, a = new Float64Array(n * n), b = new Float64Array(n * n), c = new Float64Array(n * n);
  for (let i = 0; i < n * n; i++) { a[i] = i % 7; b[i] = i % 11; }
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      let s = 0;
      for (let k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
  sum += c[n + 1];
  const words = new Uint32Array(1 << 16);
  let hash = 2166136261;
  for (let i = 0; i < words.length * 4; i++) {
    hash = Math.imul(hash ^ (i & 255), 16777619);
    words[i & 65535] ^= hash;
  }
  return sum + words.subarray(10, 20).reduce((x, y) => x ^ y, 0);
})()
