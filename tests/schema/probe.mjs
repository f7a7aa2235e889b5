/* The probe as a child that answers line for line. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class Probe {
    constructor(path) {
        this.child = spawn(path, [], { stdio: ['pipe', 'pipe', 'inherit'] });
        this.waiting = [];
        createInterface({ input: this.child.stdout }).on('line', (line) => {
            this.waiting.shift()?.resolve(JSON.parse(line));
        });
        this.child.on('exit', (code, signal) => {
            for (const one of this.waiting)
                one.reject(new Error(`the probe ended (${signal ?? code})`));
            this.waiting = [];
        });
    }

    ask(request) {
        return this.askLine(JSON.stringify(request));
    }

    /* For texts that JSON.stringify cannot make. */
    askLine(line) {
        return new Promise((resolve, reject) => {
            this.waiting.push({ resolve, reject });
            this.child.stdin.write(line + '\n');
        });
    }

    close() {
        this.child.stdin.end();
    }
}

/* "--name value" pairs of the command line. */
export function options() {
    const found = {};
    for (let i = 2; i + 1 < process.argv.length; i += 2)
        found[process.argv[i].replace(/^--/, '')] = process.argv[i + 1];
    return found;
}

export class Score {
    passed = 0;
    failed = 0;

    check(good, what) {
        if (good)
            this.passed++;
        else if (this.failed++ < 40)
            console.log(`FAILED ${what}`);
        return good;
    }

    finish() {
        console.log(`${this.passed} passed, ${this.failed} failed`);
        process.exitCode = this.failed > 0 ? 1 : 0;
    }
}
