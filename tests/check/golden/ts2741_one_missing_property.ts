declare function invite(who: { email: string; role: "guest" | "member" }): void;
const who = { email: "a@b.test" };
const full: { email: string; role: string } = who;
export { full, invite };
//! TS2741 3:7-3:11 `{ email: string; }` lacks `role`, which `{ email: string; role: string; }` requires.  [declared=const full: { email: string; role: string } = who;]
