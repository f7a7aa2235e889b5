//? --declare bindings/chatter.d.ts
// uses: chatter
import { channel, post } from "chatter";
export { channel, post };
//! TS2724 3:10-3:17 Module "chatter" does not export `channel`: did you mean `Channel`?  [mean=Channel]  [edit=Channel]
