const line = (e) => console.log(e);
class MyError extends Error {}
class Named extends Error { constructor(m) { super(m); this.name = "Named"; } }
class NamedError extends TypeError { constructor(m, x) { super(m); this.name = "ValidationError"; this.extra = x; } }
class FieldError extends Error { name = "FieldError"; }
class ProtoError extends Error {} ProtoError.prototype.name = "ProtoError";
line(new Error("plain")); line(new TypeError("type")); line(new RangeError("")); line(new Error());
line(new MyError("mine")); line(new Named("named")); line(new NamedError("v", { a: 1 })); line(new FieldError("f")); line(new ProtoError("p"));
line(new Error("with cause", { cause: new TypeError("inner") }));
line(new Error("with cause", { cause: "text" }));
line(new Error("with cause", { cause: { code: 1 } }));
line(new AggregateError([new Error("one"), new TypeError("two")], "several"));
line(Object.assign(new Error("props"), { code: "E_X", nested: { a: { b: { c: 1 } } } }));
line([new Error("in array")]); line({ e: new Error("in object") }); line(new Map([["k", new Error("in map")]]));
line(new Error("multi\nline message"));
const noStack = new Error("no stack"); Object.defineProperty(noStack, "stack", { value: undefined }); line(noStack);
const textStack = new Error("x"); textStack.stack = "just text"; line(textStack); line([textStack]);
const stackGone = new Error("gone"); delete stackGone.stack; Object.defineProperty(stackGone, "stack", { value: "" }); line(stackGone);
const objStack = new Error("o"); Object.defineProperty(objStack, "stack", { value: { a: 1 } }); line(objStack);
const renamed = new Error("m"); renamed.name = "Renamed"; line(renamed);
const proto = Object.setPrototypeOf(new Error("np"), null); line(proto);
const symName = new Error("s"); line(Object.assign(symName, { [Symbol("k")]: 1 }));
line(Object.create(new Error("inherited")));
line(Object.create(Error.prototype));
line(Error.prototype); line(MyError.prototype); line({ __proto__: Error.prototype, message: "fake", name: "Fake" });
line(new DOMException("dom", "AbortError")); line([new DOMException("d2")]);
line(new (class extends Error {})("anonymous class"));
class HTTPFault extends Error { constructor() { super("fault"); this.status = 404; } } line(new HTTPFault());
line(Object.assign(new Error("with msg key"), { message: "changed" }));
const deep = new Error("1", { cause: new Error("2", { cause: new Error("3", { cause: new Error("4") }) }) }); line(deep);
line(new SyntaxError("syn")); line(new EvalError("e")); line(new URIError("u")); line(new ReferenceError("r"));
line(Object.assign(new Error("enumerable stack"), { a: undefined, f() {} }));
console.error(new Error("to error")); console.log("prefix", new Error("after text")); console.log("%s", new Error("as s").message); console.log("%o", Object.assign(new RangeError("as o"), { x: 1 }).message);
console.log({ err: Object.assign(new Error("nested with props"), { p: 1 }) });
console.log({ a: { b: { c: new Error("too deep") } } }, [[[[new Error("deeper")]]]]);
