//? --input 'a=[1,"x",true,4]' --input-type 'a=[number, string, boolean?]' --input 'b={"k":[{"k":[3]}]}' --input-type 'b=Tree' --input 'c={"kind":"a"}' --input-type 'c={kind:"a",n:number}|{kind:"b"}' --input 'd={"x y":5}' --input-type 'd=Record<string, string | null>' --input 'e=null' --input-type 'e={ n: undefined | number; f?: Date }' --input 'f={"when":"2026"}' --input-type 'f={when: Date}'
interface Tree { k: Tree[] }
return [a, b, c, d, e];
//! TN1125 1:1-1:1 The input `a` must be `[number, string, boolean]`, and is `Array<string | number | boolean>`.  [in=the input]
//! TN1125 1:1-1:1 The input `b.k[0].k[0]` must be `Tree`, and is `3`.  [in=the input]
//! TN1125 1:1-1:1 The input `c` lacks `n`, which must be `number`.  [in=the input]
//! TN1125 1:1-1:1 The input `d["x y"]` must be `null | string`, and is `5`.  [in=the input]
//! TN1125 1:1-1:1 The input `e` must be `{ n: undefined | number; f?: Date }`, and is `null`.  [in=the input]
//! TN1125 1:1-1:1 The input `f.when` must be `Date`, and is `"2026"`.  [in=the input]
