declare function ping(): void;
ping(5);
export {};
//! TS2554 2:6-2:7 Expected 0 arguments, found 1.  [declared=ping: () => void]
