// Floating-point arithmetic in locals, objects and plain arrays.
(function () {
  function mandelbrot(size) {
    let inside = 0;
    for (let py = 0; py < size; py++) {
      for (let px = 0; px < size; px++) {
        const cx = px / size * 3 - 2, cy = py / size * 2 - 1;
        let x = 0, y = 0, n = 0;
        while (n < 50 && x * x + y * y < 4) { const t = x * x - y * y + cx; y = 2 * x * y + cy; x = t; n++; }
        if (n === 50) inside++;
      }
    }
    return inside;
  }
  const a = [];
  for (let i = 0; i < 30000; i++) a.push(Math.sin(i) * 100);
  let sum = 0;
  for (let round = 0; round < 5; round++)
    for (let i = 1; i < a.length; i++) sum += Math.sqrt(Math.abs(a[i] * a[i - 1])) - Math.floor(a[i]);
  return mandelbrot(160) + Math.round(sum);
})()
