// URLs put together from pieces that matter to the parser, and changes made to them.
let seed = 42;
const next = (n) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return Math.floor((seed / 4294967296) * n); };
const pick = (list) => list[next(list.length)];
const schemes = ["http:", "https:", "ws:", "ftp:", "file:", "foo:", "mailto:", "HTTP:", "ht tp:", "", "a+b-c.d:", "javascript:", "blob:"];
const slashes = ["//", "/", "", "///", "\\\\", "/\\", "////"];
const users = ["", "", "", "u@", "u:p@", ":@", "@", "u:@", "a b@", "%40@", "u:p:q@", "ü@"];
const hosts = ["a.com", "A.B", "1.2.3.4", "0x10.1", "256", "1.2.3.4.5", "[::1]", "[1::2:3]", "[::", "[1:2:3:4:5:6:7:8]", "[::1.2.3.4]", "[::%31]", "", "a b", "a%20b", "a%2Eb", "-a-", "a..b", ".", "..", "x_y", "a|b", "a^b", "%61", "999999999999", "0.0.0.0x", "localhost", "1e2", "a\u00adb", "c:", "C|"];
const ports = ["", "", "", ":80", ":443", ":", ":0", ":65535", ":65536", ":x", ":8080", ":00080", ":8 0"];
const parts = ["a", "..", ".", "%2e", "%2E%2e", "", "b c", "%zz", "%41", "ü", "C:", "C|", "a;b", "a:b", "@", "'", "\"", "<", "{", "^", "|", "\\", "😀", "~", "a\tb", "\ud800"];
const queries = ["", "", "?", "?a=b", "?a b&c", "?%zz", "?'\"<>`", "?ü", "?a#b", "?/?", "?\ud800"];
const hashes = ["", "", "#", "#f", "#a b", "#`<>\"", "#ü", "#%zz", "#a#b"];
const path = () => { let out = ""; for (let i = next(4); i > 0; i--) out += pick(["/", "/", "/", "\\", ""]) + pick(parts); return out; };
const make = () => pick(schemes) + pick(slashes) + pick(users) + pick(hosts) + pick(ports) + path() + pick(queries) + pick(hashes);
const relative = () => pick([path() + pick(queries) + pick(hashes), "//" + pick(hosts) + path(), pick(queries), pick(hashes), make()]);
const show = (u) => [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash].map((s) => JSON.stringify(s)).join(" ");
const names = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];
const values = { href: make, protocol: () => pick(schemes), username: () => pick(parts), password: () => pick(parts), host: () => pick(hosts) + pick(["", ":8080", ":80", ":443"]), hostname: () => pick(hosts),
  port: () => pick(["", "80", "81", "443", "65536", "099", "x"]), pathname: path, search: () => pick(queries), hash: () => pick(hashes) };
const change = () => { const name = pick(names); return [name, values[name]()]; };
// Where Node 22 is known to leave the standard: relative to an opaque path, `..` outside the special
// schemes and behind a drive letter, an empty text or query, setters of hosts outside the special
// schemes, a port behind an empty one, a lone "%" beside letters that are not ASCII.
const special = /^\s*(https?|wss?|ftp):/i;
const doubtful = (text, base) => text === "" || (base !== undefined && (!special.test(base) || /\?(#|$)/.test(base))) || (!special.test(text) && /(\.|%2e){2}/i.test(text));
for (let i = 0; i < 6000; i++) {
  const text = next(3) === 0 ? relative() : make(), base = next(3) === 0 ? make() : undefined, changes = [change(), change()];
  if (doubtful(text, base)) continue;
  let u;
  try { u = new URL(text, base); } catch (e) { console.log(i, JSON.stringify([text, base]), e.code); continue; }
  console.log(i, JSON.stringify([text, base]), show(u));
  for (const [name, value] of changes) {
    if (!special.test(u.href)) break;
    if (name === "host" && value.includes("::")) continue;
    try { u[name] = value; } catch (e) { console.log("  ", e.code); continue; }
    console.log("  ", name, JSON.stringify(value), show(u), [...u.searchParams].join("|"));
  }
}
for (let i = 0; i < 500; i++) { let q = ""; for (let j = next(6); j > 0; j--) q += pick(["a", "b", "=", "&", "+", "%20", "%", "%C3%A9", " ", "?", ";", "#"]); const p = new URLSearchParams(q); console.log(JSON.stringify([q, [...p], String(p)])); }
