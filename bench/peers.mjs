// What npm has for the same purpose, one of them in each process: node peers.mjs NAME MODULES.
// The lines it is asked and the answers are those of server.h.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';

const [, , name, modules] = process.argv;
const require = createRequire(modules + '/');
const load = async id => import(pathToFileURL(require.resolve(id)));

// node:vm: an isolate's second context. Not a boundary, as its own documentation says.
function nodeVm() {
  const inNew = text => vm.runInContext(text, vm.createContext({}));
  return {
    check: text => inNew(text),
    'fresh-text': text => inNew(text),
    'fresh-compiled': text => {
      const script = new vm.Script(text);
      return () => script.runInContext(vm.createContext({}));
    },
  };
}

// quickjs-emscripten: QuickJS as wasm under V8, its release variant without asyncify.
async function emscripten() {
  const { getQuickJS } = await load('quickjs-emscripten');
  const engine = await getQuickJS();
  const inNew = text => {
    const context = engine.newContext();
    const handle = context.unwrapResult(context.evalCode(text));
    const value = context.dump(handle);
    handle.dispose();
    context.dispose();
    return value;
  };
  const calls = count => {
    const context = engine.newContext();
    const host = context.newObject();
    const make = context.newFunction('make', given => {
      const object = context.newObject();
      context.setProp(object, 'value', given);
      const text = context.newString('small');
      context.setProp(object, 'name', text);
      text.dispose();
      return object;
    });
    context.setProp(host, 'make', make);
    context.setProp(context.global, 'host', host);
    const text = `let s = 0; for (let i = 0; i < ${count}; i++) s += host.make(i).value; s`;
    context.unwrapResult(context.evalCode(text)).dispose();
    make.dispose();
    host.dispose();
    context.dispose();
  };
  return { check: inNew, 'fresh-text': inNew, 'calls-sync': calls };
}

// run: QuickJS in a worker thread, with the values of a program's result carried over.
async function npmRun() {
  const { createRunner } = await load('run');
  const runner = createRunner();
  const inNew = async text => {
    const source = text.replace(/\n\(\{/, '\nreturn ({');
    const result = await runner.run({ source });
    if (result.status !== 'completed') throw new Error(`run: ${JSON.stringify(result)}`);
    return result.value;
  };
  return { check: inNew, 'fresh-text': inNew };
}

// Monty: a Python interpreter in Rust; the same program in Python.
async function monty() {
  const { Monty } = await load('@pydantic/monty');
  const inNew = text => new Monty(text).run();
  return {
    check: text => {
      const value = inNew(text);
      const plain = v => (v instanceof Map ? Object.fromEntries([...v].map(([k, w]) => [k, plain(w)])) : v);
      return plain(value);
    },
    'fresh-text': inNew,
    'fresh-compiled': text => {
      const program = new Monty(text);
      return () => program.run();
    },
  };
}

const makers = { 'node-vm': nodeVm, 'quickjs-emscripten': emscripten, run: npmRun, monty };

async function measure(cases, word, count, argument) {
  if (word === 'check')
    return JSON.stringify(await cases.check(readFileSync(argument, 'utf8')));
  const asynchronous = name === 'run';
  let once = cases[word];
  let text = argument ? readFileSync(argument, 'utf8') : '';
  if (word === 'fresh-compiled') once = once(text);
  const cpu = process.cpuUsage();
  const start = process.hrtime.bigint();
  if (word === 'calls-sync') once(count);
  else if (asynchronous) for (let i = 0; i < count; i++) await once(text);
  else for (let i = 0; i < count; i++) once(text);
  const wall = process.hrtime.bigint() - start;
  const { user, system } = process.cpuUsage(cpu);
  return `${wall} ${(user + system) * 1000}`;
}

const cases = await makers[name]();
for await (const line of createInterface({ input: process.stdin })) {
  const [word, count, argument] = line.split(' ');
  console.log(await measure(cases, word, Number(count), argument));
}
process.exit(0);
