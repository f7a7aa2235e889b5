declare function rename(id: string, name: string): void;
rename("r1");
export {};
//! TS2554 2:1-2:7 Expected 2 arguments, found 1.  [declared=declare function rename(id: string, name: string): void;]
