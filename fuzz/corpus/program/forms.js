export default async () => { for await (const x of [1, 2]) console.log(`${x}`); };
return new Set([1])