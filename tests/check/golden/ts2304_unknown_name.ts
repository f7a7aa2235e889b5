export const when = formatDay(new Date());
//! TS2304 1:21-1:30 There is no `formatDay` here.
