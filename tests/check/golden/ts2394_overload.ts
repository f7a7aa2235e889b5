function pad(text: string, width: number): string;
function pad(text: number): number;
function pad(text: string, width: number): string { return text.padEnd(width); }
pad("a", 2);
//! TS2394 2:10-2:13 This overload does not fit the function's own parameters and result.
