const port = "8080" as number;
export { port };
//! TS2352 1:14-1:30 `string` cannot be `number`: the types have nothing in common, so `as` is probably a mistake.
