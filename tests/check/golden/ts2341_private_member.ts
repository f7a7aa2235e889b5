class Vault { private secret = 1; }
export const leak = new Vault().secret;
//! TS2341 2:33-2:39 `secret` is private: only `Vault` itself can use it.
