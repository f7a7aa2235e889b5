//? --value
async () => {
  const r = { kind: "a" };
  return { kind: "a", n: 1 };
}
//= value object(kind:string, n:number)
