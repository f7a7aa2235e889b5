import { chunk } from "lodash";
export const parts = chunk([1, 2, 3], 2);
//! TS2307 1:23-1:31 There is no module `lodash`.
