type R<T> = T extends [infer A, ...infer B] ? [...R<B>, A, ...R<B>] : [];
let l: R<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]>["length"] = 1;
l;
//! TS2799 2:8-2:66 This type is a tuple of too many elements.
