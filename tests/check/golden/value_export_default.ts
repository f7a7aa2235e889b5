//? --value
export default { name: "x", when: new Date(), tags: ["a"], m: new Map([["a", 1]]) };
//= value object(name:string, when:instance Date, tags:array(string), m:map(string, number))
