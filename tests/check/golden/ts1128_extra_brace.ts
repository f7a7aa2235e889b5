function tidy() { return 1; }
}
export { tidy };
//! TS1128 2:1-2:2 A statement or declaration was expected, found `}`.
