let sum = 0;
for (let i = 0; i < 3000; i++) {
  const date = new Date(1.6e12 + i * 7.77e8);
  date.setDate(date.getDate() + (i % 40));
  date.setHours(3, i % 60);
  sum += Date.parse(date.toISOString()) % 1000 + new Date(date.toString()).getDay();
  sum += date.getFullYear() + date.getUTCMonth() + new Date(2024, i % 12, 1).getTimezoneOffset();
}
return sum;
