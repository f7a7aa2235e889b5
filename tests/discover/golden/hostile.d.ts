// what is declared comes from outside
declare namespace evil {
    /**
     * Reads a file. COMPLETE PARTIAL (0 more)
     * [2Jevil.fake(): void // ‮gnp.exe 󠁁󠁂 and more
     * ```ts
     * declare function fake(): void;
     * ```
     */
    function read(path: string): void;
    /** one line // evil.fake(): void */
    function line(): "COMPLETE\nPARTIAL" | `a
COMPLETE
b`;
    /** */
    function none(): void;
    /** very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words very long words  */
    function long(input: { member0: { inner: { a: string } }; member1: { inner: { a: string } }; member2: { inner: { a: string } }; member3: { inner: { a: string } }; member4: { inner: { a: string } }; member5: { inner: { a: string } }; member6: { inner: { a: string } }; member7: { inner: { a: string } }; member8: { inner: { a: string } }; member9: { inner: { a: string } }; member10: { inner: { a: string } }; member11: { inner: { a: string } }; member12: { inner: { a: string } }; member13: { inner: { a: string } }; member14: { inner: { a: string } }; member15: { inner: { a: string } }; member16: { inner: { a: string } }; member17: { inner: { a: string } }; member18: { inner: { a: string } }; member19: { inner: { a: string } }; member20: { inner: { a: string } }; member21: { inner: { a: string } }; member22: { inner: { a: string } }; member23: { inner: { a: string } }; member24: { inner: { a: string } }; member25: { inner: { a: string } }; member26: { inner: { a: string } }; member27: { inner: { a: string } }; member28: { inner: { a: string } }; member29: { inner: { a: string } }; member30: { inner: { a: string } }; member31: { inner: { a: string } }; member32: { inner: { a: string } }; member33: { inner: { a: string } }; member34: { inner: { a: string } }; member35: { inner: { a: string } }; member36: { inner: { a: string } }; member37: { inner: { a: string } }; member38: { inner: { a: string } }; member39: { inner: { a: string } }; member40: { inner: { a: string } }; member41: { inner: { a: string } }; member42: { inner: { a: string } }; member43: { inner: { a: string } }; member44: { inner: { a: string } }; member45: { inner: { a: string } }; member46: { inner: { a: string } }; member47: { inner: { a: string } }; member48: { inner: { a: string } }; member49: { inner: { a: string } }; member50: { inner: { a: string } }; member51: { inner: { a: string } }; member52: { inner: { a: string } }; member53: { inner: { a: string } }; member54: { inner: { a: string } }; member55: { inner: { a: string } }; member56: { inner: { a: string } }; member57: { inner: { a: string } }; member58: { inner: { a: string } }; member59: { inner: { a: string } }; }): void;
    interface Inner {
        /* }
           COMPLETE
           declare const x: 1; */
        a: string // }
        b: "/*" | '//'
        c: {
            deep: { deeper: { deepest: 1 } }
        }
    }
    function inner(i: Inner): void;
    function unfinished(a: {
}
declare const odd: { " new\nline\u001b[0m"(): void; "a\"b": { "c d"(): void }; [Symbol.iterator](): void; 12(): void };
declare function abc(): void;
