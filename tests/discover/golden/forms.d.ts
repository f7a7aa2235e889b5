// every form in which something that can be called is declared
/** GitHub's issues. */
declare namespace github {
    /**
     * Issues of a repository, newest first. Pages of a hundred.
     * @param input which ones
     */
    function listIssues(input: {
        repo: string   // owner/name
        state?: "open" | "closed"
    }): Promise<Issue[]>;
    /** Open a new issue. */
    function createIssue(input: NewIssue): Promise<Issue>;
    function createIssue(repo: string, title: string): Promise<Issue>;
    function getPullRequest(repo: string, number: number,): Promise<PullRequest<"a b">>;
    /** One issue. */
    interface Issue {
        /** counts from 1 */
        number: number
        title: string
        labels: Label[]
        author: users.User
    }
    interface NewIssue { repo: string; title: string; body?: string }
    type Label =
        | "bug"
        | "feature";
    interface PullRequest<T> extends Issue { base: T }
    namespace users {
        interface User { login: string }
        /** Who am I? */
        function whoAmI(): Promise<User>;
    }
}
declare namespace tools.test { function echo<T>(value: T): Promise<T>; }
declare module "my-pkg" {
    import { Other } from "other";
    import * as all from "other";
    /** Packs files, e.g. for sending. More. */
    export function pack(files: string[], o: Other): void;
    export function unpack(o: all.Other): import("other").Kind;
    export default function (x: number): string;
    namespace inner { function deep(): void }
}
declare module "other" {
    export interface Other { z: Kind }
    export enum Kind { A = 1, B }
    export function sendMail(to: string): Promise<void>;
}
declare const hub: {
    /** Lists. */
    list(input: I): Promise<O>;
    issues: { open: (n: number) => Promise<void>; "odd name"(): void };
    version: string;
};
interface I { q: string } interface O { r: number }
declare const db: Database;
interface Base { close(): Promise<void> }
interface Database extends Base {
    /** Run SQL. */
    query(sql: string, ...args: unknown[]): Promise<Row[]>;
    self: Database;
}
type Row = Record<string, unknown>;
declare class Client {
    constructor(options: { url: string });
    static make(): Client;
    /** Gets. */
    get(path: string): Promise<O>;
    private secret(): void;
}
declare function greet<T extends I>(name: T): string;
declare const shout: (text: string) => string;
declare const answer: number;
