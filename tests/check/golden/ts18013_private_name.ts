class Vault { #secret = 1; reveal() { return this.#secret; } }
export const leak = new Vault().#secret;
//! TS18013 2:33-2:40 `#secret` is private: only `Vault` itself can use it.
