//? --value
type Node = { v: number; kids: Node[]; u: "a" | "b" | null; f?: (a: string, ...r: number[]) => boolean };
declare const root: Node;
return { root, t: [1, "a"] as [number, string?], e: new Error("x"), by: new Uint8Array(2), big: 5n, p: Promise.resolve(1), r: {} as Record<string, Date> };
//= value object(root:object Node(v:number, kids:array(again Node), u:union(null, literal "a", literal "b"), f?:function(a:string, r...:array(number), boolean)), t:tuple(number, ?:string), e:instance Error, by:instance Uint8Array, big:bigint, p:promise(number), r:object Record<string, Date>(instance Date))
