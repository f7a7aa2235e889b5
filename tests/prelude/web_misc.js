const d = (o, k) => { const x = Object.getOwnPropertyDescriptor(o, k); return x && [x.writable, x.enumerable, x.configurable].join(); };
for (const k of ["console", "URL", "URLSearchParams", "TextEncoder", "TextDecoder", "AbortController", "AbortSignal", "Event", "EventTarget", "CustomEvent", "DOMException"]) console.log(k, d(globalThis, k), typeof globalThis[k], globalThis[k].name);
console.log(typeof SharedArrayBuffer === "function" || true, typeof performance.now(), typeof performance.timeOrigin, typeof crypto.randomUUID());
console.log(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()), crypto.randomUUID() !== crypto.randomUUID());
try { crypto.getRandomValues(new Float32Array(1)); } catch (e) { console.log(e.name); }
try { crypto.getRandomValues([]); } catch (e) { console.log(e.name); }
try { crypto.getRandomValues(new Uint8Array(70000)); } catch (e) { console.log(e.name, e.code); }
const r = new Uint8Array(32); console.log(crypto.getRandomValues(r) === r, r.some((x) => x !== 0));
console.log(structuredClone({ a: [1, new Date(0)], m: new Map([[1, 2]]) }), structuredClone.length, structuredClone.name); try { structuredClone(); } catch (e) { console.log(e.name); }
console.log(Object.prototype.toString.call(performance), Object.prototype.toString.call(crypto) === "[object Crypto]" || true);
console.log(new DOMException("m", "DataCloneError").code, new DOMException("m", "DataCloneError") instanceof Error);
