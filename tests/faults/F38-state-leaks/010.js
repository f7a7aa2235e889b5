// title: packages are the run's own view
// mode: body-twice
// expect: value:["undefined","ok",true]
const seen = [typeof host.mark, await host.ok(), Object.isFrozen(host)];
try { host.mark = 1; } catch {}
try { host.ok.mark = 1; } catch {}
try { globalThis.host = { ok: () => "fake" }; } catch {}
try { delete globalThis.host; } catch {}
return seen;
