/*
 * What TypeScript 5.9 finds in a program, with the options of our check.
 *
 *   node oracle.mjs MODULES REALM      MODULES: the folder that tests/syntax/fetch prints;
 *                                      REALM: realm.d.ts, our globals
 *
 * One program a line, as a JSON string; one JSON answer a line, in order: a list of
 * [code, line, column, end line, end column], or {"error": why there is none}.
 *
 * The library is read once for the life of the process. It is ours as far as that version has it:
 * without shared memory (src/check/library.c).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const [modules, realm] = process.argv.slice(2);
const ts = createRequire(resolve(modules, 'x'))('typescript');
const folder = join(modules, 'typescript/lib');
const PARTS = ['es2024', 'esnext.array', 'esnext.collection', 'esnext.decorators',
               'esnext.disposable', 'esnext.error', 'esnext.float16', 'esnext.iterator',
               'esnext.promise'];
const options = {
    strict: true, target: ts.ScriptTarget.ESNext, lib: PARTS.map((part) => `lib.${part}.d.ts`),
    module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force, types: [], noEmit: true, skipLibCheck: true,
};
const known = new Map();

function libraryFile(name) {
    if (!known.has(name)) {
        const path = name === '/realm.d.ts' ? realm : join(folder, name.replace('/lib/', ''));
        const text = name.includes('sharedmemory') ? '' : ts.sys.readFile(path);
        known.set(name, text === undefined ? undefined
            : ts.createSourceFile(name, text, options.target));
    }
    return known.get(name);
}

function host(text) {
    const isKnown = (name) => name === '/case.ts' || name === '/realm.d.ts' ||
                              (name.startsWith('/lib/lib.') && libraryFile(name) !== undefined);
    return {
        getSourceFile: (name, how) => (name === '/case.ts' ? ts.createSourceFile(name, text, how)
            : isKnown(name) ? libraryFile(name) : undefined),
        getDefaultLibFileName: () => '/lib/lib.esnext.d.ts',
        getDefaultLibLocation: () => '/lib',
        getCurrentDirectory: () => '/',
        getCanonicalFileName: (name) => name,
        getNewLine: () => '\n',
        useCaseSensitiveFileNames: () => true,
        fileExists: isKnown,
        directoryExists: (name) => name === '/',
        getDirectories: () => [],
        readFile: () => undefined,
        writeFile: () => {},
    };
}

function placeOf(file, { code, start, length }) {
    const from = file.getLineAndCharacterOfPosition(start);
    const to = file.getLineAndCharacterOfPosition(start + length);
    return [code, from.line + 1, from.character + 1, to.line + 1, to.character + 1];
}

/* What is wrong with its grammar, or else with its types: as the check asks. */
function findings(text) {
    const program = ts.createProgram({ rootNames: ['/case.ts', '/realm.d.ts'], options,
                                       host: host(text) });
    const file = program.getSourceFile('/case.ts');
    let found = program.getSyntacticDiagnostics(file);
    if (found.length === 0)
        found = program.getSemanticDiagnostics(file);
    return found.filter((one) => one.category === ts.DiagnosticCategory.Error && one.file === file)
        .map((one) => placeOf(file, one));
}

for await (const line of createInterface({ input: process.stdin })) {
    let answer;
    try {
        answer = findings(JSON.parse(line));
    } catch (failure) {
        answer = { error: String(failure?.message ?? failure).split('\n')[0].slice(0, 200) };
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
}
