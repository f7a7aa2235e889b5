// The questions Node's inspect asks about a value's kind, answered from the engine's class numbers.
import { classes, classOf } from "./native.js";
import { Error, FunctionPrototypeSymbolHasInstance } from "primordials";

const is = (...names) => {
  const first = classes[names[0]];
  const second = classes[names[1]] ?? first;
  return (value) => {
    const found = classOf(value);
    return found === first || found === second;
  };
};

export const isAsyncFunction = is("ASYNC_FUNCTION", "ASYNC_GENERATOR_FUNCTION");
export const isGeneratorFunction = is("GENERATOR_FUNCTION", "ASYNC_GENERATOR_FUNCTION");
export const isAnyArrayBuffer = is("ARRAY_BUFFER", "SHARED_ARRAY_BUFFER");
export const isArrayBuffer = is("ARRAY_BUFFER");
export const isArgumentsObject = is("ARGUMENTS", "MAPPED_ARGUMENTS");
export const isDataView = is("DATAVIEW");
export const isMap = is("MAP");
export const isSet = is("SET");
export const isMapIterator = is("MAP_ITERATOR");
export const isSetIterator = is("SET_ITERATOR");
export const isWeakMap = is("WEAKMAP");
export const isWeakSet = is("WEAKSET");
export const isModuleNamespaceObject = is("MODULE_NS");
export const isNativeError = is("ERROR");
export const isPromise = is("PROMISE");
export const isRegExp = is("REGEXP");
export const isDate = is("DATE");
export const isStringObject = is("STRING");
export const isNumberObject = is("NUMBER");
export const isBooleanObject = is("BOOLEAN");
export const isBigIntObject = is("BIG_INT");
const isSymbolObject = is("SYMBOL");

export const isTypedArray = (value) => {
  const found = classOf(value);
  return found >= classes.FIRST_TYPED_ARRAY && found <= classes.LAST_TYPED_ARRAY;
};
export const isBoxedPrimitive = (value) =>
  isStringObject(value) || isNumberObject(value) || isBooleanObject(value) ||
  isBigIntObject(value) || isSymbolObject(value);
export const isError = (value) =>
  isNativeError(value) || FunctionPrototypeSymbolHasInstance(Error, value);
export const isExternal = () => false;
export const getExternalValue = () => 0;
