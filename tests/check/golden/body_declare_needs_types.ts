//? --expect "string[]"
interface Ticket { id: number; title: string; state: State }
type State = "open" | "closed";
enum Color { Red = "r" }
declare function tickets(state: State, color: Color): Promise<Ticket[]>;
declare global { interface Array<T> { mine(): T } }
const found = await tickets("open", Color.Red);
return found.map(t => t.mine);
//! TS2339 8:25-8:29 `Ticket` has no property `mine`.
