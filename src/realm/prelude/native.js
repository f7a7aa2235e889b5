// The intrinsics, taken from `host` while the image is made (inside_inspect.c). `host` is the
// parameter of the function the whole bundle is; no program ever sees it or what comes from it.
export const {
  uncurry, proxyDetails, prototype, get, has, hasOwn, isEnumerable, descriptor, instanceOf, keys,
  nonIndexKeys, classOf, className, promiseDetails, stackOf, boxed, entries, regexpText, decode,
  encode, classes,
} = host.inspect;
export const { print, now, wall, clone, random } = host;
