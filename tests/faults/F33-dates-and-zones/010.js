// title: far away, by the rules that hold
// zone: Europe/Paris
// expect: value:["2100-06-30T22:00:00.000Z",-120,-60]
const far = new Date(2100, 6, 1);
[far.toISOString(), far.getTimezoneOffset(), new Date(2100, 0, 1).getTimezoneOffset()]
