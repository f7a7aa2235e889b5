// Clients from npm drive `tenon mcp`, over standard input and output and over HTTP, with servers from
// npm behind it: the client of the SDK's first line (handshake), that of its second (both eras), the
// inspector's command line.
//
//     clients.mjs TENON      the modules are fetched by ./fetch and ../provide/mcp_fetch

import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const tenon = process.argv[2];
let passed = 0, failed = 0;

function check(what, good, ...shown) {
  if (good) passed++;
  else {
    failed++;
    console.log('FAILED:', what, ...shown.map(one => JSON.stringify(one)?.slice(0, 1500)));
  }
  return Boolean(good);
}

function fetched(script) {
  const got = spawnSync(join(here, script), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (got.status !== 0) {
    console.log(`npm cannot be reached, or gave nothing: ${script}`);
    process.exit(77);
  }
  return got.stdout.trim();
}

const modules = fetched('fetch'), servers = fetched('../provide/mcp_fetch');
const load = name => import(pathToFileURL(createRequire(join(modules, 'x.mjs')).resolve(name)));
const folder = mkdtempSync(join(tmpdir(), 'tenon-clients-'));
const files = join(folder, 'files');
mkdirSync(files);
for (let i = 0; i < 12; i++) writeFileSync(join(files, `n${i}.txt`), `${i * i}\n`);

const behind = join(folder, 'servers.json');
const server = (name, ...args) => ({
  command: process.execPath,
  args: [join(servers, '@modelcontextprotocol', name, 'dist/index.js'), ...args] });
writeFileSync(behind, JSON.stringify({ mcpServers: {
  everything: server('server-everything'), files: server('server-filesystem', files) } }));
const ARGS = ['mcp', '--mcp', behind, '--wall', '30s', '--cpu', '20s', '--ask', 'files.write_file'];

// ---- programs ----

const CHAIN = `
const dir = ${JSON.stringify(files)};
const names = (await files.list_directory({ path: dir })).content
  .split("\\n").filter(line => line.startsWith("[FILE]")).map(line => line.slice(7));
const numbers = await Promise.all(names.map(async name =>
  Number((await files.read_text_file({ path: dir + "/" + name })).content)));
let total = 0;
for (const n of numbers) {
  if (n % 2 === 0) total += n;
}
for (let i = 0; i < 3; i++)
  total += String(await everything.echo({ message: "x".repeat(i) })).length;
return { files: names.length, total };`;
const EVEN = [0, 4, 16, 36, 64, 100].reduce((a, b) => a + b) + 3 * 'Echo: '.length + 3;

// Everything a run can end with, for the schema of its answer.
const ENDS = [
  ['ok', 'return { a: [1, null, "x"], when: new Date(0), big: 10n ** 30n, none: undefined }'],
  ['ok', ''],
  ['ok', 'return "x".repeat(100000)'],
  ['ok', 'for (let i = 0; i < 5000; i++) console.log("line", i); return 1'],
  ['refused', 'const n: number = "x"; return n'],
  ['refused', 'return (('],
  ['failed', 'throw new Error("x".repeat(50000))'],
  ['failed', 'throw undefined'],
  ['failed', 'await everything.get_sum({ a: 1, b: 2 }); throw new TypeError("late")'],
  ['limit', 'for (;;);', { wallMs: 300 }],
  ['limit', 'const all: string[] = []; for (;;) all.push("x".repeat(1000) + all.length)'],
];

const FORM = { elicitation: {} };
const WRITE = `return String(await files.write_file({ path: ${JSON.stringify(join(files, 'new.txt'))}, content: "hello" }))`;

// One door over HTTP for all: its address, once it listens.
const TOKEN = 'clients-of-this-test-only';
let door, url;

async function open() {
  door = spawn(tenon, [...ARGS, '--http', '127.0.0.1:0', '--token', 'env:DOOR_TOKEN'],
    { env: { ...process.env, DOOR_TOKEN: TOKEN }, stdio: ['ignore', 'inherit', 'pipe'] });
  url = await new Promise((done, failed) => {
    let said = '';
    door.stderr.on('data', data => {
      said += data;
      const found = said.match(/listening on (\S+)/);
      if (found) done(found[1]);
    });
    door.on('exit', () => failed(new Error(said)));
  });
}

const headers = { Authorization: `Bearer ${TOKEN}` };

async function transport(kind) {
  const first = kind.startsWith('sdk 1');
  if (kind.endsWith('HTTP')) {
    const { StreamableHTTPClientTransport } = await load(
      first ? '@modelcontextprotocol/sdk/client/streamableHttp.js' : '@modelcontextprotocol/client');
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  }
  const { StdioClientTransport } = await load(
    first ? '@modelcontextprotocol/sdk/client/stdio.js' : '@modelcontextprotocol/client/stdio');
  return new StdioClientTransport({ command: tenon, args: ARGS, stderr: 'inherit' });
}

async function connect(kind, capabilities, answer) {
  const info = { name: 'clients', version: '1' };
  if (kind.startsWith('sdk 1')) {
    const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
    const { ElicitRequestSchema } = await load('@modelcontextprotocol/sdk/types.js');
    const client = new Client(info, { capabilities });
    if (answer) client.setRequestHandler(ElicitRequestSchema, async request => answer(request));
    await client.connect(await transport(kind));
    const tool = (call, options) => client.callTool(call, undefined, options);
    return { client, tool };
  }
  const { Client } = await load('@modelcontextprotocol/client');
  const mode = { 'sdk 2, handshake': 'legacy', 'sdk 2, stateless': { pin: '2026-07-28' },
                 'sdk 2, probing': 'auto' }[kind.replace(', HTTP', '')];
  const client = new Client(info, { capabilities, versionNegotiation: { mode } });
  if (answer) client.setRequestHandler('elicitation/create', async request => answer(request));
  await client.connect(await transport(kind));
  return { client, tool: (call, options) => client.callTool(call, options) };
}

// ---- what each client does ----

async function looks(kind, { client, tool }) {
  const tools = (await client.listTools()).tools.map(one => one.name);
  check(`${kind}: three tools`, tools.join() === 'search,describe,run', tools);
  check(`${kind}: instructions`, client.getInstructions()?.includes('everything'));
  const found = await tool({ name: 'search', arguments: { query: 'read the text of a file' } });
  check(`${kind}: search`, found.content[0].text.includes('files.read_text_file('), found);
  const described = await tool({ name: 'describe', arguments: { names: 'files.list_directory everything.echo' } });
  check(`${kind}: describe`, /list_directory/.test(described.content[0].text) &&
        /echo/.test(described.content[0].text), described);
  check(`${kind}: templates`, (await client.listResourceTemplates()).resourceTemplates.length === 1);
}

async function runs(kind, { client, tool }) {
  const run = (code, more = {}, options) => tool({ name: 'run', arguments: { code, ...more } }, options);
  const chained = await run(CHAIN);
  check(`${kind}: sixteen calls in one program`, chained.structuredContent?.value?.files === 12 &&
        chained.structuredContent.value.total === EVEN, chained.content, EVEN);
  for (const [status, code, more] of ENDS) {
    const got = await run(code, more).catch(error => ({ error: String(error) }));
    check(`${kind}: ${status}: ${code.slice(0, 40)}`, got.structuredContent?.status === status &&
          Boolean(got.isError) === (status !== 'ok'), got);
  }
  const long = await run('return Array.from({ length: 9000 }, (_, i) => i)');
  const uri = long.structuredContent?.valueUri;
  check(`${kind}: a long value is listed`,
        (await client.listResources()).resources.some(one => one.uri === uri), long);
  let text = '';
  for (let piece; (piece = (await client.readResource(
    { uri: `${uri}?from=${text.length}&bytes=20000` })).contents[0].text) !== '';)
    text += piece;
  check(`${kind}: and read in pieces`, JSON.parse(text).length === 9000);
  const failed = await client.readResource({ uri: 'tenon://run/99999/value' }).then(() => null, error => error);
  check(`${kind}: what is not there`, failed?.code === -32602, failed);
}

async function waits(kind, { client, tool }) {
  const stop = new AbortController();
  const began = Date.now();
  setTimeout(() => stop.abort('enough'), 400);
  const ended = await tool({ name: 'run', arguments: {
    code: 'await everything.trigger_long_running_operation({ duration: 20, steps: 2 })' } },
    { signal: stop.signal }).then(() => null, error => error);
  check(`${kind}: cancelled`, ended !== null && Date.now() - began < 3000, ended);
  let told = 0;
  const slow = await tool({ name: 'run', arguments: { language: 'javascript',
    code: 'const end = Date.now() + 7000; while (Date.now() < end); return "done"' } },
    { onprogress: () => told++, timeout: 6500, resetTimeoutOnProgress: true })
    .catch(error => ({ error: String(error) }));
  check(`${kind}: progress keeps a client waiting`, told >= 1 && slow.structuredContent?.value === 'done',
        told, slow);
}

async function asks(kind) {
  const seen = [];
  let reply = { action: 'decline' };
  const one = await connect(kind, FORM, request => {
    seen.push(request.params.message);
    return reply;
  });
  const run = () => one.tool({ name: 'run', arguments: { code: WRITE } });
  const declined = await run().catch(error => ({ error: String(error) }));
  check(`${kind}: declined`, declined.isError && seen.length === 1 && seen[0].includes('files.write_file'),
        declined, seen);
  reply = { action: 'accept', content: { allow: true } };
  const allowed = await run().catch(error => ({ error: String(error) }));
  check(`${kind}: allowed`, allowed.isError === false && seen.length === 2 &&
        readFileSync(join(files, 'new.txt'), 'utf8') === 'hello', allowed, seen);
  rmSync(join(files, 'new.txt'), { force: true });
  await one.client.close();
}

async function whole(kind) {
  const one = await connect(kind, {});
  await looks(kind, one);
  await runs(kind, one);
  await waits(kind, one);
  const refused = await one.tool({ name: 'run', arguments: { code: WRITE } });
  check(`${kind}: who cannot be asked is refused`, refused.isError === true, refused);
  const began = Date.now();
  await one.client.close();
  check(`${kind}: closes`, Date.now() - began < 1900, Date.now() - began);
  await asks(kind);
}

// ---- the inspector ----

const inspect = (...args) => new Promise(done => execFile(process.execPath,
  [join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js'), '--cli', ...args],
  { encoding: 'utf8', timeout: 60000, env: { ...process.env, HOME: folder } },
  (error, stdout, stderr) => done({ code: error ? error.code ?? -1 : 0, stdout, stderr })));

async function inspector(server) {
  const config = join(folder, 'inspector.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { tenon: server } }));
  const to = ['--config', config, '--server', 'tenon'];
  const listed = await inspect(...to, '--method', 'tools/list', '--strict');
  check('inspector: lists, and has nothing against the schemas', listed.code === 0 &&
        ['search', 'describe', 'run'].every(name => listed.stdout.includes(`"${name}"`)), listed);
  const ran = await inspect(...to, '--method', 'tools/call', '--tool-name', 'run', '--tool-arg',
    'code=return (await everything.get_sum({ a: 20, b: 22 })) + "!"');
  check('inspector: calls', ran.code === 0 && ran.stdout.includes('42'), ran);
  const found = await inspect(...to, '--method', 'tools/call', '--tool-name', 'search', '--tool-arg',
    'query=list a directory');
  check('inspector: searches', found.stdout.includes('list_directory'), found);
  const resources = await inspect(...to, '--method', 'resources/list');
  check('inspector: resources', resources.code === 0 && resources.stdout.includes('resources'), resources);
}

await open();
for (const kind of ['sdk 1', 'sdk 2, handshake', 'sdk 2, stateless', 'sdk 1, HTTP', 'sdk 2, handshake, HTTP',
                    'sdk 2, stateless, HTTP'])
  await whole(kind).catch(error => check(kind, false, String(error?.stack ?? error)));
for (const kind of ['sdk 2, probing', 'sdk 2, probing, HTTP']) {
  const probing = await connect(kind, {});
  check(`${kind}: finds the newer era`,
        probing.client.getNegotiatedProtocolVersion?.() === '2026-07-28',
        probing.client.getNegotiatedProtocolVersion?.());
  await looks(kind, probing).catch(error => check(kind, false, String(error)));
  await probing.client.close();
}
await inspector({ type: 'stdio', command: tenon, args: ARGS });
await inspector({ type: 'http', url, headers });
const ended = new Promise(done => door.removeAllListeners('exit').on('exit', done));
door.kill();
check('the door over HTTP ends well', (await ended) === 0);
rmSync(folder, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
