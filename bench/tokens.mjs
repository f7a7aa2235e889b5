// What a model reads and writes, counted: the tools of five real servers against the three of `tenon mcp`
// in front of them, and one piece of work done by single calls of tools against one program.
//
//     tokens.mjs TENON MODULES SERVERS        prints one JSON object
//
// Tokens are those of gpt-tokenizer's o200k_base. A tool counts as a model is sent it: name,
// description, schema of its input. What is sent again with each turn is counted once.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , tenon, modules, servers] = process.argv;
const load = id => import(pathToFileURL(createRequire(modules + '/').resolve(id)));
const { encode } = await load('gpt-tokenizer/encoding/o200k_base');
const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');

const folder = mkdtempSync(join(tmpdir(), 'tenon-tokens-'));
const logs = join(folder, 'logs');
mkdirSync(logs);
const entry = (from, name, ...args) => ({
  command: process.execPath, args: [join(from, '@modelcontextprotocol', name, 'dist/index.js'), ...args] });
const FIVE = {
  everything: entry(servers, 'server-everything'), files: entry(servers, 'server-filesystem', folder),
  memory: { ...entry(servers, 'server-memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory') } },
  thinking: entry(servers, 'server-sequential-thinking'), github: entry(modules, 'server-github') };
const five = join(folder, 'five.json');
writeFileSync(five, JSON.stringify({ mcpServers: FIVE }));

async function connect({ command, args, env }) {
  const client = new Client({ name: 'bench', version: '1' }, { capabilities: {} });
  await client.connect(new StdioClientTransport({ command, args, env: { PATH: process.env.PATH, ...env }, stderr: 'ignore' }));
  return client;
}

// Text that passes through the model, and how often it is asked.
class Passed {
  constructor() { Object.assign(this, { trips: 0, bytes: 0, tokens: 0 }); }
  text(text) {
    this.bytes += Buffer.byteLength(text);
    this.tokens += encode(text).length;
  }
  // One call that the model writes, and the answer that it reads.
  async call(client, name, args) {
    this.text(JSON.stringify({ name, arguments: args }));
    const { content, isError } = await client.callTool({ name, arguments: args });
    const text = content.map(part => part.text ?? '').join('');
    if (isError) throw new Error(text);
    this.text(text);
    return text;
  }
}

const shown = tools => JSON.stringify(tools.map(({ name, description, inputSchema }) =>
  ({ name, description, input_schema: inputSchema })));

async function lists() {
  const rows = {};
  for (const [name, server] of Object.entries(FIVE)) {
    const client = await connect(server);
    const { tools } = await client.listTools();
    rows[name] = { tools: tools.length, bytes: shown(tools).length, tokens: encode(shown(tools)).length };
    await client.close();
  }
  return rows;
}

async function ours(client) {
  const { tools } = await client.listTools();
  const count = text => ({ bytes: Buffer.byteLength(text), tokens: encode(text).length });
  const ask = async (name, args) => count((await client.callTool({ name, arguments: args })).content[0].text);
  return {
    tools: { tools: tools.length, ...count(shown(tools)) }, instructions: count(client.getInstructions() ?? ''),
    search: await ask('search', { query: 'list a directory, read and write text files' }),
    'search, another': await ask('search', { query: 'create an issue' }),
    describe: await ask('describe', { names: 'files.list_directory files.read_text_file files.write_file' }) };
}

// ---- one piece of work: of forty logs, how many errors each part has, written as a report ----

const PARTS = ['auth', 'billing', 'search', 'mail'];
const wanted = {};
for (let i = 0; i < 40; i++) {
  const part = PARTS[i % PARTS.length], lines = [];
  for (let k = 0; k < 40; k++) {
    const level = (i * 7 + k * 3) % 11 === 0 ? 'ERROR' : 'INFO';
    if (level === 'ERROR') wanted[part] = (wanted[part] ?? 0) + 1;
    lines.push(`2026-11-${String(1 + i % 28).padStart(2, '0')}T10:${String(k).padStart(2, '0')}:00Z ${level} ${part} request ${i * 40 + k} done`);
  }
  writeFileSync(join(logs, `log-${String(i).padStart(2, '0')}.txt`), lines.join('\n') + '\n');
}
const REPORT = PARTS.toSorted().map(part => `${part}: ${wanted[part]}\n`).join('');
const report = join(folder, 'report.txt');

function checked(passed) {
  if (readFileSync(report, 'utf8') !== REPORT) throw new Error('another report: ' + readFileSync(report, 'utf8'));
  rmSync(report);
  return { trips: passed.trips, bytes: passed.bytes, tokens: passed.tokens };
}

// `batch`: how many files one call reads, as read_multiple_files does.
async function byCalls(batch) {
  const client = await connect(FIVE.files), passed = new Passed();
  const listed = await passed.call(client, 'list_directory', { path: logs });
  const names = listed.split('\n').filter(line => line.startsWith('[FILE]')).map(line => join(logs, line.slice(7)));
  passed.trips++;
  for (let i = 0; i < names.length; i += batch) {
    passed.trips++;
    if (batch === 1) await passed.call(client, 'read_text_file', { path: names[i] });
    else await passed.call(client, 'read_multiple_files', { paths: names.slice(i, i + batch) });
  }
  await passed.call(client, 'write_file', { path: report, content: REPORT });
  passed.trips++;
  await client.close();
  return checked(passed);
}

const PROGRAM = `const dir = ${JSON.stringify(logs)};
const names = (await files.list_directory({ path: dir })).content.split("\\n")
  .filter(line => line.startsWith("[FILE]")).map(line => line.slice(7));
const logs = await Promise.all(names.map(async name => (await files.read_text_file({ path: dir + "/" + name })).content));
const errors: Record<string, number> = {};
for (const line of logs.join("").split("\\n")) {
  const [, level, part] = line.split(" ");
  if (level === "ERROR") errors[part] = (errors[part] ?? 0) + 1;
}
const report = Object.keys(errors).sort().map(part => part + ": " + errors[part] + "\\n").join("");
await files.write_file({ path: ${JSON.stringify(report)}, content: report });
return errors;`;

async function byProgram(client) {
  const passed = new Passed();
  await passed.call(client, 'search', { query: 'list a directory, read and write text files' });
  await passed.call(client, 'run', { code: PROGRAM });
  passed.trips = 2;
  return checked(passed);
}

const door = await connect({ command: tenon, args: ['mcp', '--mcp', five] });
const result = { tokenizer: 'gpt-tokenizer 4.0.0, o200k_base', raw: await lists(), tenon: await ours(door), work: {
  'single calls': await byCalls(1), 'single calls, ten files each': await byCalls(10),
  'a search and one program': await byProgram(door) } };
await door.close();
rmSync(folder, { recursive: true });
console.log(JSON.stringify(result, null, 1));
process.exit(0);
