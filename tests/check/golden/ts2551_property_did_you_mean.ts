const words = ["b", "a"];
export const sorted = words.toSortd();
//! TS2551 2:29-2:36 `string[]` has no property `toSortd`: did you mean `toSorted`?  [mean=toSorted]  [edit=toSorted]
