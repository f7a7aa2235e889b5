// Errors with a `code`, as Node's own functions throw them.
import { ObjectDefineProperty, ReflectConstruct, TypeError } from "primordials";

/** An error of this kind with `code` and the further properties in `more`. */
export function codedError(Constructor, code, message, more) {
  const error = ReflectConstruct(Constructor, [message]);
  define(error, "code", code);
  for (const name in more) define(error, name, more[name]);
  return error;
}

const define = (object, name, value) => ObjectDefineProperty(object, name, {
  __proto__: null, value, writable: true, enumerable: true, configurable: true,
});

export const invalidThis = (name) =>
  codedError(TypeError, "ERR_INVALID_THIS", `Value of "this" must be of type ${name}`);

export const missingArguments = (...names) => {
  let list = `"${names[0]}"`;
  if (names.length > 1) list += ` and "${names[1]}"`;
  const noun = names.length > 1 ? "arguments" : "argument";
  return codedError(TypeError, "ERR_MISSING_ARGS", `The ${list} ${noun} must be specified`);
};

export const illegalConstructor = () =>
  codedError(TypeError, "ERR_ILLEGAL_CONSTRUCTOR", "Illegal constructor");
