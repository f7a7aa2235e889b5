const limit: number = ;
export { limit };
//! TS1109 1:23-1:24 An expression was expected, found `;`.
