// The npm packages bundled into the prelude, hardened. None yet.

/** @returns the captured built-ins they use, and a hook into esbuild's resolution */
export function thirdParty() {
  return { used: new Set(), setup() {} };
}
