//? --declare bindings/stage.d.ts --export "Shout:new () => Stage" --export "Whisper:new () => Stage"
export class Shout implements Stage { run(text: string) { return text.toUpperCase(); } }
export class Whisper { run(text: number) { return String(text); } }
//! TN1123 3:14-3:21 Export `Whisper` must be `new () => Stage`: expected `new () => Stage`, found `typeof Whisper`: expected `number`, found `string`.
