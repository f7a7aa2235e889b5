/*
 * The oracle's processes, and what they said before.
 *
 * An answer is kept by the hash of the question, the compiler's version and the hash of oracle.mjs:
 * one file of lines in the cache folder, read at the start, added to as answers come.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync,
         statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const hash = (...parts) => {
    const sum = createHash('sha256');
    parts.forEach((part) => sum.update(part).update('\0'));
    return sum.digest('hex').slice(0, 24);
};

/* One oracle process: asks one thing at a time, in order. */
class Process {
    constructor(modules) {
        this.child = spawn(process.execPath,
                           ['--stack-size=8000', '--max-old-space-size=3000',
                            join(here, 'oracle.mjs'), modules],
                           { stdio: ['pipe', 'pipe', 'inherit'] });
        this.waiting = [];
        createInterface({ input: this.child.stdout })
            .on('line', (line) => this.waiting.shift().resolve(JSON.parse(line)))
            .on('close', () => this.fail(new Error('the oracle ended')));
        this.child.stdin.on('error', () => {});
    }

    ask(request) {
        return new Promise((resolve, reject) => {
            this.waiting.push({ resolve, reject });
            this.child.stdin.write(JSON.stringify(request) + '\n');
        });
    }

    fail(error) {
        this.waiting.splice(0).forEach((one) => one.reject(error));
    }

    end() {
        this.child.stdin.end();
    }
}

export class Oracle {
    constructor({ modules, cache, processes }) {
        const version = JSON.parse(readFileSync(join(modules, 'typescript/package.json'))).version;
        this.options = { modules, processes };
        this.salt = hash(version, readFileSync(join(here, 'oracle.mjs')));
        this.file = join(cache, 'oracle', `${this.salt}.lines`);
        this.known = new Map();
        this.fresh = [];
        this.asked = 0;
        this.load();
    }

    load() {
        const folder = dirname(this.file);
        mkdirSync(folder, { recursive: true });
        /* Answers to questions put by other versions of oracle.mjs are of no more use. */
        for (const name of readdirSync(folder)) {
            const path = join(folder, name);
            if (path !== this.file && Date.now() - statSync(path).mtimeMs > 7 * 24 * 3600 * 1000)
                rmSync(path);
        }
        if (!existsSync(this.file))
            return;
        for (const line of readFileSync(this.file, 'utf8').split('\n')) {
            const key = line.slice(0, 24);
            if (line.endsWith('}'))
                this.known.set(key, line.slice(25));
        }
    }

    /* Ask, unless the answer is known. */
    async ask(request) {
        const key = hash(JSON.stringify([request.op, request.declaration ?? false]), request.text,
                         request.ours ?? '');
        const known = this.known.get(key);
        if (known)
            return JSON.parse(known);
        this.asked++;
        this.pool ??= Array.from({ length: this.options.processes },
                                 () => new Process(this.options.modules));
        const idle = this.pool.reduce((a, b) => (a.waiting.length <= b.waiting.length ? a : b));
        const answer = await idle.ask(request);
        if (request.op === 'judge' || request.op === 'shape' || request.op === 'emit') {
            this.known.set(key, JSON.stringify(answer));
            this.fresh.push(`${key} ${JSON.stringify(answer)}\n`);
            if (this.fresh.length >= 500)
                this.save();
        }
        return answer;
    }

    save() {
        if (this.fresh.length > 0)
            appendFileSync(this.file, this.fresh.splice(0).join(''));
    }

    /* The file would grow with every change of the eraser: begin it anew when it gets large. */
    end() {
        this.save();
        this.pool?.forEach((one) => one.end());
        if (this.known.size > 200000) {
            const lines = [...this.known].slice(-100000).map(([key, answer]) => `${key} ${answer}\n`);
            writeFileSync(`${this.file}.${process.pid}`, lines.join(''));
            renameSync(`${this.file}.${process.pid}`, this.file);
        }
    }
}

/* Our side: the program `dump`, which reads frames and answers with a line and the erased text. */
export class Dump {
    constructor(program) {
        this.child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
        this.waiting = [];
        this.parts = [];
        this.have = 0;
        this.head = null;
        this.child.stdout.on('data', (data) => { this.take(data); });
        this.child.on('exit', (code, signal) => { this.exited(code, signal); });
        this.child.stdin.on('error', () => {});
    }

    ask(bytes, flags = '') {
        return new Promise((resolve, reject) => {
            if (this.ended)
                return reject(this.ended);
            this.waiting.push({ resolve, reject });
            this.child.stdin.write(`${bytes.length} ${flags}\n`);
            this.child.stdin.write(bytes);
            return undefined;
        });
    }

    take(data) {
        this.parts.push(data);
        this.have += data.length;
        for (;;) {
            if (!this.head) {
                const all = this.gather();
                const end = all.indexOf(10);
                if (end < 0)
                    return;
                this.head = JSON.parse(all.subarray(0, end).toString());
                this.parts = [all.subarray(end + 1)];
                this.have -= end + 1;
            }
            if (this.have < this.head.bytes)
                return;
            const all = this.gather();
            const answer = { ...this.head, erased: all.subarray(0, this.head.bytes) };
            this.parts = [all.subarray(this.head.bytes)];
            this.have -= this.head.bytes;
            this.head = null;
            this.waiting.shift().resolve(answer);
        }
    }

    gather() {
        if (this.parts.length !== 1)
            this.parts = [Buffer.concat(this.parts)];
        return this.parts[0];
    }

    exited(code, signal) {
        this.ended = new Error(`dump ended with ${signal ?? code}`);
        this.waiting.splice(0).forEach((one) => one.reject(this.ended));
    }

    end() {
        this.child.stdin.end();
    }
}
