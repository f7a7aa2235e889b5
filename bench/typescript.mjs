// What npm has that takes types out, and the compiler in JavaScript that checks them, one of them
// in each process: node typescript.mjs NAME MODULES [DECLARATIONS]. Lines and answers: server.h.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const [, , name, modules, declarations] = process.argv;
const require = createRequire(modules + '/');

function strip(complain, code) {
  if (complain) throw new Error(`${name}: ${complain}`);
  return code;
}

const erasers = {
  esbuild() {
    const { transformSync } = require('esbuild');
    return text => transformSync(text, { loader: 'ts', target: 'esnext' }).code;
  },
  'oxc-transform'() {
    const { transformSync } = require('oxc-transform');
    return text => {
      const { code, errors } = transformSync('program.ts', text, { target: 'esnext' });
      return strip(errors[0]?.message, code);
    };
  },
  typescript() {
    const ts = require('typescript');
    const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext };
    return text => ts.transpileModule(text, { compilerOptions }).outputText;
  },
  async 'ts-blank-space'() {
    const { default: blank } = await import(require.resolve('ts-blank-space'));
    return text => {
      let wrong;
      const code = blank(text, () => (wrong = 'cannot erase all of it'));
      return strip(wrong, code);
    };
  },
};

// The language service, as editors have it: one program of two files, of which one changes.
function openService() {
  const ts = require('typescript');
  const files = new Map([['/github.d.ts', { text: readFileSync(declarations, 'utf8'), version: 0 }],
    ['/program.ts', { text: '', version: 0 }]]);
  const folder = require.resolve('typescript').replace(/[^/]*$/, '');
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      strict: true, noEmit: true, types: [], lib: ['lib.es2023.d.ts'],
      target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
      moduleDetection: ts.ModuleDetectionKind.Force,
    }),
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: path => String(files.get(path)?.version ?? 0),
    getScriptSnapshot: path => {
      const text = files.get(path)?.text ?? ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => folder + 'lib.es2023.d.ts',
    fileExists: path => files.has(path) || ts.sys.fileExists(path),
    readFile: path => files.get(path)?.text ?? ts.sys.readFile(path),
  });
  return text => {
    const file = files.get('/program.ts');
    file.version++;
    file.text = `${text}// ${file.version} ${process.hrtime.bigint()}\n`;
    const found = [...service.getSyntacticDiagnostics('/program.ts'),
      ...service.getSemanticDiagnostics('/program.ts')];
    strip(found[0] && ts.flattenDiagnosticMessageText(found[0].messageText, '\n'));
  };
}

// The same printer for what all of them leave: then equal programs are equal texts.
function print(paths) {
  const { transformSync } = require('esbuild');
  const [from, to] = paths.split(' ');
  const { code } = transformSync(readFileSync(from, 'utf8'),
    { loader: 'js', target: 'esnext', legalComments: 'none', minifyWhitespace: true });
  writeFileSync(to, code);
  return 'ok';
}

function timed(count, once, text) {
  const cpu = process.cpuUsage();
  const start = process.hrtime.bigint();
  for (let i = 0; i < count; i++) once(text);
  const wall = process.hrtime.bigint() - start;
  const { user, system } = process.cpuUsage(cpu);
  // esbuild works in a process of its own, whose time is not to be had
  return `${wall} ${name === 'esbuild' ? wall : (user + system) * 1000}`;
}

const erase = await erasers[name]();
let service;
const cases = {
  print: (_, paths) => print(paths),
  'erase-to': (_, paths) => {
    const [from, to] = paths.split(' ');
    writeFileSync(to, erase(readFileSync(from, 'utf8')));
    return 'ok';
  },
  erase: (count, path) => timed(count, erase, readFileSync(path, 'utf8')),
  checked: (count, path) => timed(count, (service ??= openService()), readFileSync(path, 'utf8')),
  first: (count, path) => timed(count, text => openService()(text), readFileSync(path, 'utf8')),
};
for await (const line of createInterface({ input: process.stdin })) {
  const [, word, count, argument] = /^(\S+) (\S+) ?(.*)$/.exec(line);
  console.log(cases[word](Number(count), argument));
}
process.exit(0);
