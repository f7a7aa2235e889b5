// Conversions of arguments, as the web's interfaces do them.
import { StringPrototypeConcat, StringPrototypeToWellFormed } from "primordials";

/** ToString: runs the conversions of an object, refuses a symbol. */
export const toText = (value) =>
  typeof value === "string" ? value : StringPrototypeConcat("", value);

/** The same with lone surrogates replaced (USVString). */
export const toWellFormedText = (value) => StringPrototypeToWellFormed(toText(value));
