// The SDK's own clients, doing what mcp.c does with the same servers:
//
//     clients.mjs sdk1|sdk2 MODULES EVERYTHING CATALOGUE SERVERS
//
// The lines they are asked and the answers are those of server.h.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [, , name, modules, everything, catalogue, servers] = process.argv;
const load = id => import(pathToFileURL(createRequire(modules + '/').resolve(id)));
const [{ Client }, { StdioClientTransport }] = name === 'sdk1'
  ? [await load('@modelcontextprotocol/sdk/client/index.js'), await load('@modelcontextprotocol/sdk/client/stdio.js')]
  : [await load('@modelcontextprotocol/client'), await load('@modelcontextprotocol/client/stdio')];

async function connect(...args) {
  const client = new Client({ name: 'bench', version: '1' }, { capabilities: {} });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  return client;
}

let calling;
async function calls(count, flight) {
  calling ??= await connect(everything, 'stdio');
  let left = count;
  const start = process.hrtime.bigint();
  await Promise.all(Array.from({ length: flight }, async () => {
    while (left-- > 0) {
      const result = await calling.callTool({ name: 'echo', arguments: { message: 'hello' } });
      if (!result.content[0].text.includes('hello')) throw new Error('not hello');
    }
  }));
  return process.hrtime.bigint() - start;
}

async function listed(count) {
  let all = 0n;
  for (let i = 0; i < count; i++) {
    const start = process.hrtime.bigint();
    const client = await connect(catalogue, servers);
    const { tools } = await client.listTools();
    all += process.hrtime.bigint() - start;
    if (tools.length !== 1000) throw new Error(`${tools.length} tools`);
    await client.close();
  }
  return all;
}

const cases = { one: count => calls(count, 1), flight: count => calls(count, 32), load: listed };
for await (const line of createInterface({ input: process.stdin })) {
  const [word, count] = line.split(' ');
  const cpu = process.cpuUsage();
  const wall = await cases[word](Number(count));
  const { user, system } = process.cpuUsage(cpu);
  console.log(`${wall} ${(user + system) * 1000}`);
}
process.exit(0);
