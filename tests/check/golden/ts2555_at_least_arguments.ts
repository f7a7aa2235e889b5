declare function notify(channel: string, ...people: [string, ...string[]]): void;
notify("ops");
export {};
//! TS2555 2:1-2:7 Expected 2 arguments or more, found 1.  [declared=declare function notify(channel: string, ...people: [string, ...string[]]): void;]
