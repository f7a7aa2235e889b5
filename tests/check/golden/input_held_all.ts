//? --input 'a=[1,"x",true]' --input-type 'a=[number, string, boolean?]' --input 'b={"k":[{"k":[]}]}' --input-type 'b=Tree' --input 'c={"kind":"a","n":1}' --input-type 'c={kind:"a",n:number}|{kind:"b"}' --input 'd={"x y":null}' --input-type 'd=Record<string, string | null>' --input 'e={}' --input-type 'e={ n: undefined | number; f?: Date }'
interface Tree { k: Tree[] }
return [a, b, c, d, e];
