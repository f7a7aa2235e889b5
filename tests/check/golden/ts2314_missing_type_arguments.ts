export function keysOf(m: Map) { return [...m.keys()]; }
//! TS2314 1:27-1:30 `Map<K, V>` needs 2 type arguments.
