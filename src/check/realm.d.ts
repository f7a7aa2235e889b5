// The globals of a realm beyond the language itself, as programs see them. One block for each
// name, with an empty line before it: a host that declares a name itself takes the place of ours.

interface Console {
    log(...values: unknown[]): void;
    info(...values: unknown[]): void;
    debug(...values: unknown[]): void;
    warn(...values: unknown[]): void;
    error(...values: unknown[]): void;
    trace(...values: unknown[]): void;
    assert(condition?: unknown, ...values: unknown[]): void;
    dir(value?: unknown, options?: unknown): void;
    dirxml(...values: unknown[]): void;
    table(rows?: unknown, columns?: readonly string[]): void;
    group(...label: unknown[]): void;
    groupCollapsed(...label: unknown[]): void;
    groupEnd(): void;
    count(label?: string): void;
    countReset(label?: string): void;
    time(label?: string): void;
    timeLog(label?: string, ...values: unknown[]): void;
    timeEnd(label?: string): void;
    timeStamp(label?: string): void;
    profile(label?: string): void;
    profileEnd(label?: string): void;
    clear(): void;
}

declare var console: Console;

declare function setTimeout<A extends unknown[]>(callback: (...values: A) => void, ms?: number, ...values: A | []): number;

declare function setInterval<A extends unknown[]>(callback: (...values: A) => void, ms?: number, ...values: A | []): number;

declare function setImmediate<A extends unknown[]>(callback: (...values: A) => void, ...values: A | []): number;

declare function clearTimeout(timer: number | null | undefined): void;

declare function clearInterval(timer: number | null | undefined): void;

declare function clearImmediate(timer: number | null | undefined): void;

declare function queueMicrotask(callback: () => void): void;

declare function structuredClone<T>(value: T, options?: { transfer?: readonly ArrayBuffer[] }): T;

declare function btoa(text: string): string;

declare function atob(text: string): string;

interface DOMException extends Error {
    readonly name: string;
    readonly message: string;
    readonly code: number;
    readonly INDEX_SIZE_ERR: 1;
    readonly DOMSTRING_SIZE_ERR: 2;
    readonly HIERARCHY_REQUEST_ERR: 3;
    readonly WRONG_DOCUMENT_ERR: 4;
    readonly INVALID_CHARACTER_ERR: 5;
    readonly NO_DATA_ALLOWED_ERR: 6;
    readonly NO_MODIFICATION_ALLOWED_ERR: 7;
    readonly NOT_FOUND_ERR: 8;
    readonly NOT_SUPPORTED_ERR: 9;
    readonly INUSE_ATTRIBUTE_ERR: 10;
    readonly INVALID_STATE_ERR: 11;
    readonly SYNTAX_ERR: 12;
    readonly INVALID_MODIFICATION_ERR: 13;
    readonly NAMESPACE_ERR: 14;
    readonly INVALID_ACCESS_ERR: 15;
    readonly VALIDATION_ERR: 16;
    readonly TYPE_MISMATCH_ERR: 17;
    readonly SECURITY_ERR: 18;
    readonly NETWORK_ERR: 19;
    readonly ABORT_ERR: 20;
    readonly URL_MISMATCH_ERR: 21;
    readonly QUOTA_EXCEEDED_ERR: 22;
    readonly TIMEOUT_ERR: 23;
    readonly INVALID_NODE_TYPE_ERR: 24;
    readonly DATA_CLONE_ERR: 25;
}

declare var DOMException: {
    prototype: DOMException;
    new (message?: string, name?: string): DOMException;
    readonly INDEX_SIZE_ERR: 1;
    readonly DOMSTRING_SIZE_ERR: 2;
    readonly HIERARCHY_REQUEST_ERR: 3;
    readonly WRONG_DOCUMENT_ERR: 4;
    readonly INVALID_CHARACTER_ERR: 5;
    readonly NO_DATA_ALLOWED_ERR: 6;
    readonly NO_MODIFICATION_ALLOWED_ERR: 7;
    readonly NOT_FOUND_ERR: 8;
    readonly NOT_SUPPORTED_ERR: 9;
    readonly INUSE_ATTRIBUTE_ERR: 10;
    readonly INVALID_STATE_ERR: 11;
    readonly SYNTAX_ERR: 12;
    readonly INVALID_MODIFICATION_ERR: 13;
    readonly NAMESPACE_ERR: 14;
    readonly INVALID_ACCESS_ERR: 15;
    readonly VALIDATION_ERR: 16;
    readonly TYPE_MISMATCH_ERR: 17;
    readonly SECURITY_ERR: 18;
    readonly NETWORK_ERR: 19;
    readonly ABORT_ERR: 20;
    readonly URL_MISMATCH_ERR: 21;
    readonly QUOTA_EXCEEDED_ERR: 22;
    readonly TIMEOUT_ERR: 23;
    readonly INVALID_NODE_TYPE_ERR: 24;
    readonly DATA_CLONE_ERR: 25;
};

interface EventInit {
    bubbles?: boolean;
    cancelable?: boolean;
    composed?: boolean;
}

interface Event {
    readonly type: string;
    readonly target: EventTarget | null;
    readonly currentTarget: EventTarget | null;
    readonly srcElement: EventTarget | null;
    readonly eventPhase: number;
    readonly bubbles: boolean;
    readonly cancelable: boolean;
    readonly composed: boolean;
    readonly defaultPrevented: boolean;
    readonly isTrusted: boolean;
    readonly timeStamp: number;
    cancelBubble: boolean;
    returnValue: boolean;
    composedPath(): EventTarget[];
    preventDefault(): void;
    stopPropagation(): void;
    stopImmediatePropagation(): void;
    initEvent(type: string, bubbles?: boolean, cancelable?: boolean): void;
}

declare var Event: {
    prototype: Event;
    new (type: string, options?: EventInit): Event;
    readonly NONE: 0;
    readonly CAPTURING_PHASE: 1;
    readonly AT_TARGET: 2;
    readonly BUBBLING_PHASE: 3;
};

interface CustomEvent<T = any> extends Event {
    readonly detail: T;
}

declare var CustomEvent: {
    prototype: CustomEvent;
    new <T>(type: string, options?: EventInit & { detail?: T }): CustomEvent<T>;
};

type EventListener = ((event: any) => void) | { handleEvent(event: any): unknown };

interface EventTarget {
    addEventListener(type: string, listener: EventListener | null, options?: boolean | { capture?: boolean; once?: boolean; passive?: boolean; signal?: AbortSignal }): void;
    removeEventListener(type: string, listener: EventListener | null, options?: boolean | { capture?: boolean }): void;
    dispatchEvent(event: Event): boolean;
}

declare var EventTarget: {
    prototype: EventTarget;
    new (): EventTarget;
};

interface AbortSignal extends EventTarget {
    readonly aborted: boolean;
    readonly reason: any;
    onabort: ((event: Event) => void) | null;
    throwIfAborted(): void;
}

declare var AbortSignal: {
    prototype: AbortSignal;
    abort(reason?: unknown): AbortSignal;
    timeout(ms: number): AbortSignal;
    any(signals: Iterable<AbortSignal>): AbortSignal;
};

interface AbortController {
    readonly signal: AbortSignal;
    abort(reason?: unknown): void;
}

declare var AbortController: {
    prototype: AbortController;
    new (): AbortController;
};

interface TextEncoder {
    readonly encoding: string;
    encode(text?: string): Uint8Array<ArrayBuffer>;
    encodeInto(text: string, into: Uint8Array): { read: number; written: number };
}

declare var TextEncoder: {
    prototype: TextEncoder;
    new (): TextEncoder;
};

interface TextDecoder {
    readonly encoding: string;
    readonly fatal: boolean;
    readonly ignoreBOM: boolean;
    decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}

declare var TextDecoder: {
    prototype: TextDecoder;
    new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder;
};

interface URLSearchParams {
    readonly size: number;
    append(name: string, value: string): void;
    delete(name: string, value?: string): void;
    get(name: string): string | null;
    getAll(name: string): string[];
    has(name: string, value?: string): boolean;
    set(name: string, value: string): void;
    sort(): void;
    forEach(callback: (value: string, name: string, all: URLSearchParams) => void, self?: unknown): void;
    entries(): IteratorObject<[string, string], undefined, unknown>;
    keys(): IteratorObject<string, undefined, unknown>;
    values(): IteratorObject<string, undefined, unknown>;
    toString(): string;
    [Symbol.iterator](): IteratorObject<[string, string], undefined, unknown>;
}

declare var URLSearchParams: {
    prototype: URLSearchParams;
    new (from?: string | URLSearchParams | Record<string, string> | Iterable<readonly [string, string]>): URLSearchParams;
};

interface URL {
    href: string;
    readonly origin: string;
    protocol: string;
    username: string;
    password: string;
    host: string;
    hostname: string;
    port: string;
    pathname: string;
    search: string;
    readonly searchParams: URLSearchParams;
    hash: string;
    toString(): string;
    toJSON(): string;
}

declare var URL: {
    prototype: URL;
    new (url: string | URL, base?: string | URL): URL;
    parse(url: string | URL, base?: string | URL): URL | null;
    canParse(url: string | URL, base?: string | URL): boolean;
};

interface Crypto {
    getRandomValues<T extends ArrayBufferView>(array: T): T;
    randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
}

declare var Crypto: {
    prototype: Crypto;
};

declare var crypto: Crypto;

interface Performance {
    readonly timeOrigin: number;
    now(): number;
    toJSON(): any;
}

declare var Performance: {
    prototype: Performance;
};

declare var performance: Performance;

// What the engine has of the language before its declarations do.

interface ErrorConstructor {
    captureStackTrace(target: object, above?: Function): void;
    stackTraceLimit: number;
    prepareStackTrace?: (error: Error, places: any[]) => any;
}

interface Math {
    sumPrecise(numbers: Iterable<number>): number;
}

interface RawJSON {
    readonly rawJSON: string;
}

interface JSON {
    rawJSON(text: string | number | bigint | boolean | null): RawJSON;
    isRawJSON(value: unknown): value is RawJSON;
    parse(text: string, reviver: (this: any, key: string, value: any, context: { source?: string }) => any): any;
}

interface IteratorObject<T, TReturn, TNext> {
    chunks(size: number): IteratorObject<T[], undefined, unknown>;
    windows(size: number, options?: "only-full" | "allow-partial"): IteratorObject<T[], undefined, unknown>;
    includes(value: unknown, skipped?: number): boolean;
    join(separator?: string): string;
}

interface IteratorConstructor {
    concat<T>(...parts: Iterable<T>[]): IteratorObject<T, undefined, unknown>;
    zip<T extends readonly Iterable<unknown>[] | []>(parts: T, options?: { mode?: "shortest" | "longest" | "strict"; padding?: Iterable<unknown> }): IteratorObject<{ -readonly [K in keyof T]: T[K] extends Iterable<infer U> ? U : never }, undefined, unknown>;
    zipKeyed<T extends Record<string, Iterable<unknown>>>(parts: T, options?: { mode?: "shortest" | "longest" | "strict"; padding?: Record<string, unknown> }): IteratorObject<{ -readonly [K in keyof T]: T[K] extends Iterable<infer U> ? U : never }, undefined, unknown>;
}

interface ArrayBuffer {
    readonly immutable: boolean;
    sliceToImmutable(start?: number, end?: number): ArrayBuffer;
    transferToImmutable(length?: number): ArrayBuffer;
}

interface SuppressedError extends Error {}
