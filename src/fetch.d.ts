// fetch and what it is used with, for programs of engines that have it. There are no streams:
// bodies are read whole.

type HeadersInit = readonly (readonly [string, string])[] | string[][] | Record<string, string> | Headers | Iterable<readonly [string, string]>;

type BodyInit = string | Blob | FormData | URLSearchParams | ArrayBuffer | ArrayBufferView;

type RequestInfo = string | URL | Request;

type RequestRedirect = "follow" | "error" | "manual";

type FormDataEntryValue = string | File;

type BlobPart = string | Blob | ArrayBuffer | ArrayBufferView;

declare class Headers {
    constructor(init?: HeadersInit);
    append(name: string, value: string): void;
    delete(name: string): void;
    get(name: string): string | null;
    getSetCookie(): string[];
    has(name: string): boolean;
    set(name: string, value: string): void;
    forEach(callback: (value: string, name: string, headers: Headers) => void, self?: unknown): void;
    keys(): IterableIterator<string>;
    values(): IterableIterator<string>;
    entries(): IterableIterator<[string, string]>;
    [Symbol.iterator](): IterableIterator<[string, string]>;
}

declare class Blob {
    constructor(parts?: Iterable<BlobPart>, options?: { type?: string; endings?: "transparent" | "native" });
    readonly size: number;
    readonly type: string;
    slice(start?: number, end?: number, type?: string): Blob;
    text(): Promise<string>;
    arrayBuffer(): Promise<ArrayBuffer>;
    bytes(): Promise<Uint8Array<ArrayBuffer>>;
}

declare class File extends Blob {
    constructor(parts: Iterable<BlobPart>, name: string, options?: { type?: string; lastModified?: number; endings?: "transparent" | "native" });
    readonly name: string;
    readonly lastModified: number;
}

declare class FormData {
    constructor();
    append(name: string, value: string): void;
    append(name: string, value: Blob, filename?: string): void;
    delete(name: string): void;
    get(name: string): FormDataEntryValue | null;
    getAll(name: string): FormDataEntryValue[];
    has(name: string): boolean;
    set(name: string, value: string): void;
    set(name: string, value: Blob, filename?: string): void;
    forEach(callback: (value: FormDataEntryValue, name: string, form: FormData) => void, self?: unknown): void;
    keys(): IterableIterator<string>;
    values(): IterableIterator<FormDataEntryValue>;
    entries(): IterableIterator<[string, FormDataEntryValue]>;
    [Symbol.iterator](): IterableIterator<[string, FormDataEntryValue]>;
}

interface Body {
    readonly bodyUsed: boolean;
    arrayBuffer(): Promise<ArrayBuffer>;
    blob(): Promise<Blob>;
    bytes(): Promise<Uint8Array<ArrayBuffer>>;
    formData(): Promise<FormData>;
    json(): Promise<any>;
    text(): Promise<string>;
}

interface RequestInit {
    method?: string;
    headers?: HeadersInit;
    body?: BodyInit | null;
    redirect?: RequestRedirect;
    signal?: AbortSignal | null;
    cache?: string;
    credentials?: string;
    integrity?: string;
    keepalive?: boolean;
    mode?: string;
    referrer?: string;
    referrerPolicy?: string;
    duplex?: "half";
}

interface Request extends Body {}

declare class Request {
    constructor(input: RequestInfo, init?: RequestInit);
    readonly method: string;
    readonly url: string;
    readonly headers: Headers;
    readonly redirect: RequestRedirect;
    readonly signal: AbortSignal;
    readonly cache: string;
    readonly credentials: string;
    readonly destination: string;
    readonly duplex: "half";
    readonly integrity: string;
    readonly keepalive: boolean;
    readonly mode: string;
    readonly referrer: string;
    readonly referrerPolicy: string;
    clone(): Request;
}

interface ResponseInit {
    status?: number;
    statusText?: string;
    headers?: HeadersInit;
}

interface Response extends Body {}

declare class Response {
    constructor(body?: BodyInit | null, init?: ResponseInit);
    static error(): Response;
    static json(data: any, init?: ResponseInit): Response;
    static redirect(url: string | URL, status?: number): Response;
    readonly headers: Headers;
    readonly ok: boolean;
    readonly redirected: boolean;
    readonly status: number;
    readonly statusText: string;
    readonly type: "basic" | "default" | "error";
    readonly url: string;
    clone(): Response;
}

/** Only what the policy grants is reached; what fails is a TypeError that says why, in `cause` too. */
declare function fetch(input: RequestInfo, init?: RequestInit): Promise<Response>;
