// Every name of the world a program is in: globals, what they hold, and what their prototypes hold.
const names = [];
const plain = [Object.prototype, Function.prototype];

for (const name of Object.getOwnPropertyNames(globalThis)) {
    const value = globalThis[name];
    names.push(name);
    if (value === null || value === globalThis || !/^(function|object)$/.test(typeof value)) continue;
    const isFunction = typeof value === "function";
    for (const key of Object.getOwnPropertyNames(value))
        if (!isFunction || !["length", "name", "prototype", "arguments", "caller"].includes(key)) names.push(`${name}.${key}`);
    const above = isFunction ? value.prototype : Object.getPrototypeOf(value);
    if (above && typeof above === "object" && (isFunction || !plain.includes(above)))
        for (const key of Object.getOwnPropertyNames(above))
            if (key !== "constructor") names.push(isFunction ? `${name}.prototype.${key}` : `${name}.${key}`);
}
return names;
