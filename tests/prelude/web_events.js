const t = new EventTarget(); const log = (...a) => console.log(...a);
t.addEventListener("x", (e) => log("one", e.type, e.target === t, e.currentTarget === t, e.eventPhase, e.composedPath().length));
t.addEventListener("x", { handleEvent(e) { log("object", this !== undefined, e.cancelable); } });
t.addEventListener("x", function () { log("once", this === t); }, { once: true });
const f = () => log("f"); t.addEventListener("x", f); t.addEventListener("x", f); t.addEventListener("x", f, true);
log(t.dispatchEvent(new Event("x"))); t.removeEventListener("x", f); t.removeEventListener("x", f, { capture: true }); log(t.dispatchEvent(new Event("x", { cancelable: true })));
t.addEventListener("c", (e) => e.preventDefault()); log(t.dispatchEvent(new Event("c")), t.dispatchEvent(new Event("c", { cancelable: true })));
t.addEventListener("s", (e) => { log("first"); e.stopImmediatePropagation(); }); t.addEventListener("s", () => log("never")); t.dispatchEvent(new Event("s"));
t.addEventListener("p", (e) => { e.preventDefault(); log(e.defaultPrevented); }, { passive: true }); t.dispatchEvent(new Event("p", { cancelable: true }));
let once = true; t.addEventListener("add", () => once && (once = false, t.addEventListener("add", () => log("added later")))); t.dispatchEvent(new Event("add")); t.dispatchEvent(new Event("add"));
const ce = new CustomEvent("ce", { detail: { a: 1 }, cancelable: true }); log(ce.detail, ce instanceof Event, ce.type, new CustomEvent("n").detail, String(ce), String(new Event("e")));
const e = new Event("e", { bubbles: true, composed: true }); log(e.bubbles, e.composed, e.cancelable, e.defaultPrevented, e.target, e.currentTarget, e.eventPhase, e.isTrusted, e.returnValue, e.cancelBubble, typeof e.timeStamp, e.composedPath());
log(Event.NONE, Event.CAPTURING_PHASE, Event.AT_TARGET, Event.BUBBLING_PHASE, t, [t]);
for (const bad of [() => new Event(), () => new CustomEvent(), () => t.addEventListener("x"), () => t.dispatchEvent({}), () => new Event("x", 5), () => Event.prototype.preventDefault.call({}), () => t.addEventListener("x", 5), () => EventTarget.prototype.dispatchEvent.call({}, e)]) { try { bad(); log("no error"); } catch (x) { log(x.name, x.code); } }
const c = new AbortController(); const s = c.signal; log(s.aborted, s.reason, c, s instanceof EventTarget, String(s), String(c));
s.onabort = function (ev) { log("onabort", this === s, ev.type, ev.isTrusted); }; log(typeof s.onabort); s.addEventListener("abort", () => log("listener"), { once: true });
const t2 = new EventTarget(); t2.addEventListener("y", () => log("not after abort"), { signal: s }); t2.dispatchEvent(new Event("y"));
c.abort(); c.abort("again"); log(s.aborted, s.reason.name, s.reason.message, s.reason.code, s.reason instanceof DOMException); t2.dispatchEvent(new Event("y"));
try { s.throwIfAborted(); } catch (x) { log(x === s.reason); }
log(AbortSignal.abort().reason.name, AbortSignal.abort(5).reason, AbortSignal.abort(null).reason, AbortSignal.abort(undefined).reason.name); new AbortController().signal.throwIfAborted();
const a1 = new AbortController(), a2 = new AbortController(); const any = AbortSignal.any([a1.signal, a2.signal]); const any2 = AbortSignal.any([any]); any2.addEventListener("abort", () => log("any2", any2.reason)); any.addEventListener("abort", () => log("any", any.reason)); a2.abort("why"); a1.abort("late"); log(any.aborted, any.reason, any2.reason, AbortSignal.any([]).aborted, AbortSignal.any([AbortSignal.abort(1)]).reason);
for (const bad of [() => new AbortSignal(), () => AbortSignal.any([{}]), () => AbortSignal.any(), () => AbortSignal.timeout(-1), () => AbortSignal.timeout(), () => AbortSignal.prototype.throwIfAborted.call({})]) { try { bad(); log("no error"); } catch (x) { log(x.name, x.code); } }
const tm = AbortSignal.timeout(5); tm.onabort = () => log("timeout", tm.reason.name, tm.reason.message, tm.reason.code); log(tm.aborted); setTimeout(() => log("end"), 30);
log(Object.keys(AbortSignal.prototype).join(), Object.keys(AbortController.prototype).join(), Object.keys(EventTarget.prototype).join(), AbortController.length, Event.length, EventTarget.length, CustomEvent.length);
log({ a: { b: { c } } }, { a: { b: { c: { s } } } }, [s], { x: { y: { z: t } } }, { x: { y: { z: { t } } } });
s.onabort = null; log(s.onabort); class MyTarget extends EventTarget { constructor() { super(); this.v = 1; } } log(new MyTarget()); new MyTarget().dispatchEvent(new Event("q"));
const order = []; const oc = new AbortController(); const dep = AbortSignal.any([oc.signal]); oc.signal.addEventListener("abort", () => order.push(dep.aborted)); oc.abort(); log(order);
