//? --declare bindings/chatter.d.ts
// uses: chatter
import { broadcast } from "chatter";
export { broadcast };
//! TS2305 3:10-3:19 Module "chatter" does not export `broadcast`.
