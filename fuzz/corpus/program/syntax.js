class A { #x = 1; static { this.y = 2; } get z() { return this.#x; } }
label: for (;;) { try { break label; } finally { new A().z; } }
await Promise.all([1, 2].map(async (v) => v))