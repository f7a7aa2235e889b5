type Ids = Record<string | boolean, number>;
export type { Ids };
//! TS2344 1:19-1:35 The type argument must fit `string | number | symbol`, and `string | boolean` does not: expected `string | number | symbol`, found `boolean`.
