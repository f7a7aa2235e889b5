//? --input 'user={"name":"a","age":3,"tags":[{"id":1},{"id":2,"foo":null}],"at":{"$type":"date","value":null}}'
const first: string = user.tags[0]?.id ?? "";
return user.nam.toUpperCase() + user.age.toFixed() + user.at.getTime() + (user.tags[0]?.foo ?? "") + first;
//! TS2322 2:7-2:12 Expected `string`, found `number`.
//! TS2551 3:13-3:16 `{ name: string; age: number; tags: { id: number; foo?: any; }[]; at: Date; }` has no property `nam`: did you mean `name`?  [mean=name]  [edit=name]
