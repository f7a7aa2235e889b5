//? --input 'byDay={"mon":{"ann":1,"bob":2},"tue":{"ann":3,"bob":4}}'
const day = String(Math.random()), who = day + "x";
byDay[day][who].toFixed(1) + byDay.mon.ann;
for (const d in byDay) for (const w in byDay[d]) byDay[d][w].foo;
//! TS2339 4:62-4:65 `number` has no property `foo`.
