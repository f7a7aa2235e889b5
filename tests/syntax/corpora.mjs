/*
 * Which texts the parser and the eraser are shown: files of npm packages, and any folder one names.
 * A case is { name, text, declaration }; names tell the corpus first.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

export const PACKAGES = ['typescript/lib', '@types/node', 'rxjs', 'effect', 'zod', 'type-fest'];
const LARGEST_BYTES = 4 << 20;

function* filesBelow(folder, wanted) {
    for (const entry of readdirSync(folder, { withFileTypes: true })
             .sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const path = join(folder, entry.name);
        if (entry.isDirectory() && entry.name !== 'node_modules')
            yield* filesBelow(path, wanted);
        else if (entry.isFile() && wanted.test(entry.name))
            yield path;
    }
}

/* The text of a file, or null if it is no UTF-8 or there is too much of it. */
export function readText(path) {
    if (statSync(path).size > LARGEST_BYTES)
        return null;
    const data = readFileSync(path);
    const text = data.toString('utf8');
    return Buffer.from(text).equals(data) ? text.replace(/^\ufeff/, '') : null;
}

export const isDeclaration = (path) => /\.d\.([cm]?ts|[^.]+\.ts)$/.test(path);

/* Paths only; texts are read when it is their turn. */
export function packageFiles(modules) {
    return PACKAGES.flatMap((name) => [...filesBelow(join(modules, name), /\.[cm]?ts$/)]
        .map((path) => ({ name: relative(modules, path), path, declaration: isDeclaration(path) })));
}

/* test262-parser-tests: the folder is its verdict on JavaScript. Read as TypeScript here. */
export const TEST262_VERDICTS = { pass: true, 'pass-explicit': true, fail: false, early: false };

export function test262Files(modules) {
    const top = join(modules, 'test262-parser-tests');
    return Object.keys(TEST262_VERDICTS).flatMap((folder) =>
        [...filesBelow(join(top, folder), /\.js$/)].map((path) => ({
            name: `test262/${relative(top, path)}`, path, declaration: false, folder })));
}

/* Any folder: a checkout's tests/cases, or one's own. */
export function folderFiles(folder) {
    return [...filesBelow(folder, /\.[cm]?ts$/)].map((path) => ({
        name: relative(folder, path), path, declaration: isDeclaration(path) }));
}

/* Cases of several files in one say so by a comment; each part is a text of its own. */
export function splitCase(one, text) {
    const marker = /^\/\/\s*@filename:\s*(\S+).*$/gim;
    const marks = [...text.matchAll(marker)];
    if (marks.length === 0)
        return [{ ...one, text }];
    return marks.map((mark, i) => ({
        ...one,
        name: `${one.name}#${mark[1]}`,
        declaration: isDeclaration(mark[1]),
        text: text.slice(mark.index + mark[0].length, marks[i + 1]?.index ?? text.length),
        skip: !/\.[cm]?ts$/.test(mark[1]),
    })).filter((part) => !part.skip);
}
