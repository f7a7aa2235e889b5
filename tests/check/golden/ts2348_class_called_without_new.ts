class Basket { items: string[] = []; }
export const b = Basket();
//! TS2348 2:18-2:26 `typeof Basket` is a class: it is called with `new`.
