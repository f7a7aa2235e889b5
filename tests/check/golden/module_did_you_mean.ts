//? --declare bindings/chatter.d.ts
import { post } from "chater";
post;
//! TS2307 2:22-2:30 There is no module `chater`: did you mean `chatter`?  [mean=chatter]
