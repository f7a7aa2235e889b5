const show = (text, base) => {
  try {
    const u = new URL(text, base);
    console.log(JSON.stringify([u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash]));
  } catch (e) {
    console.log(text, base, e.name, e.message, e.code, e.input, e.base);
  }
};
for (const t of ["http://example.com", "HTTP://EXAMPLE.com:80/../a/./b/%2e%2E/c?q=1#f", "https://user:pa%20ss@host:8080/p?a=b&c#d",
  "file:///C:/x/../y", "file:C|/x", "mailto:a@b", "data:text/plain,hi there", "javascript:alert(1)", "blob:https://a.com/x", "http://1.2.3", "http://0x7f.1",
  "http://256.1.1.1", "http://[::1]:3000/", "http://[1:2::3:4]", "http://[::1.2.3.4]", "http://a b", "http://a%41b/", "http://a<b", "", "foo", "//x", "http:", "http://",
  "https://例え.jp/パス?クエリ=値#片", "http://xn--r8jz45g.jp", "http://FAß.de", "http://faß.de", "http://Bücher.example", "http://☃.net", "http://a\u00adb.c",
  "http://a.com/ü?ü#ü", "http://a.com/'\"<>`{}|^\\", "http://a.com?'\"<>`{}|^", "http://a.com#'\"<>`{}|^", "http://a.com/%zz%41", "ws://a:80", "wss://a:443", "ftp://a:21/x",
  "  http://trim.me  ", "ht\ntp://a\t.com", "constructor:x", "a:b c ", "about:blank", "http://a..b", "http://.a", "http://a.", "http://a:65536", "http://a:0", "http://a:x",
  "non-special://HOST/a/../b", "x://a b", "http://xn--", "http://xn--a", "http://\u200dx", "http://ab.c\u3002d", "http://ÀÉ.com", "https://☕.example", "http://1e1", "http://0x", "http://a.0x1"]) show(t);
for (const [t, b] of [["../c", "http://a/b/d/e"], ["?q", "http://a/b?x#y"], ["#f", "http://a/b?x"], ["//h/p", "https://a/b"], ["/abs", "http://u:p@a/b"], ["x", "mailto:y"], ["#z", "mailto:y"],
  ["http:rel", "http://a/b/"], ["https:rel", "http://a/b/"], ["", "http://a/b?c#d"], ["c|/x", "file:///d:/y"], ["\\\\h\\p", "https://a/b"], ["x", "bad"], ["y", "data:,z"], [".", "http://a/b/c"], ["..", "http://a/b/c/"]]) show(t, b);
const u = new URL("https://user:pw@example.com:8080/a/b?x=1&y=2#frag");
for (const [k, v] of [["protocol", "http"], ["protocol", "foo:"], ["username", "ü@"], ["password", ""], ["host", "other:99"], ["hostname", "h2"], ["port", "70000"], ["port", "81x"], ["port", ""], ["pathname", "p q/ä"], ["search", "?a=b c"], ["search", ""], ["hash", "#h h"], ["hash", ""], ["href", "http://new/"]]) { u[k] = v; console.log(k, u.href); }
try { u.href = "bad"; } catch (e) { console.log(e.message, e.code, e.input); }
u.searchParams.append("k", "v v"); u.searchParams.append("k", "é&"); console.log(u.href, u.searchParams.getAll("k")); u.search = "?z=1"; console.log([...u.searchParams]); u.searchParams.delete("z"); console.log(u.href);
console.log(URL.canParse("x"), URL.canParse("x", "http://a"), URL.parse("bad"), URL.parse("http://ok").href);
console.log(String(u), JSON.stringify({ u }), u.toString === URL.prototype.toString, Object.keys(URL.prototype).join(), Object.prototype.toString.call(u), URL.name, URL.length);
const p = new URLSearchParams("?a=1&b=2&a=3&c&=e&%zz=%41+x&d=%E4%BD%A0");
console.log([...p], p.get("a"), p.getAll("a"), p.has("b", "2"), p.has("b", "3"), p.has("zz"), p.size, String(p));
p.set("a", "9"); p.append("z", "1"); p.sort(); p.delete("c"); console.log(p.toString(), [...p.keys()], [...p.values()]);
p.forEach((v, k, o) => console.log(k, v, o === p));
console.log(new URLSearchParams({ a: 1, b: "x y" }).toString(), new URLSearchParams([["a", "b"], new Set(["c", "d"])]).toString(), new URLSearchParams(new Map([["m", "n"]])).toString(), new URLSearchParams(new URLSearchParams("q=1")).toString(), new URLSearchParams(undefined).toString(), new URLSearchParams("").size);
for (const bad of [[["a"]], [1], [["a", "b", "c"]]]) { try { new URLSearchParams(bad); } catch (e) { console.log(e.name, e.message, e.code); } }
console.log(p, new URL("http://a/b?c=d"), [new URL("http://x")], { deep: { deep: { u: new URL("http://x"), p: new URLSearchParams("a=1") } } }, new URLSearchParams(), new URLSearchParams("a=" + "x".repeat(90) + "&b=2"));
console.log(p.entries().next(), Object.prototype.toString.call(p.entries()), Object.keys(URLSearchParams.prototype).join());
try { new URL(); } catch (e) { console.log(e.name, e.code); }
try { URL("http://a"); } catch (e) { console.log(e.name); }
try { p.append("x"); } catch (e) { console.log(e.message, e.code); }
try { URLSearchParams.prototype.get.call({}, "x"); } catch (e) { console.log(e.message, e.code); }
class MyURL extends URL { get extra() { return 1; } } console.log(new MyURL("http://m").extra, new MyURL("http://m").host);
console.log(new URLSearchParams("a=b").toString === p.toString, "*-._~!'()".replace(/./g, (c) => new URLSearchParams([[c, c]]) + " "));
console.log(Reflect.ownKeys(new URL("http://a")), Reflect.ownKeys(p));
