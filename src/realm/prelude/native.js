// The intrinsics, taken from `host` while the image is made (inside_inspect.c). `host` is the
// parameter of the function the whole bundle is; no program ever sees it or what comes from it.
//
//   print(level, text)    one console entry; level 0 debug, 1 log, 2 info, 3 warn, 4 error
//   now()                 milliseconds since the run began, coarse
//   wall()                milliseconds since 1970
//   clone(value, options) structuredClone
//   random(bytes)         fills a Uint8Array
//   inspect               the object inspect_intrinsics() makes
//
// Beside it, `setTimeout`, `DOMException`, `atob` and `btoa` are globals already.
export const {
  uncurry, proxyDetails, prototype, get, has, hasOwn, isEnumerable, descriptor, instanceOf, keys,
  nonIndexKeys, classOf, className, promiseDetails, stackOf, boxed, entries, regexpText, decode,
  encode, classes,
} = host.inspect;
export const { print, now, wall, clone, random } = host;
