export function rank(state: "open" | "closed") {
  switch (state) {
    case "open": return 1;
    case "archived": return 2;
    default: return 0;
  }
}
//! TS2678 4:10-4:20 This case never happens: `"archived"` is none of `"closed" | "open"`.
