// A server of a thousand tools, of the SDK's first line: catalogue.mjs MODULES
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const load = id => import(pathToFileURL(createRequire(process.argv[2] + '/').resolve(id)));
const { Server } = await load('@modelcontextprotocol/sdk/server/index.js');
const { StdioServerTransport } = await load('@modelcontextprotocol/sdk/server/stdio.js');
const { ListToolsRequestSchema } = await load('@modelcontextprotocol/sdk/types.js');

const places = ['github', 'gitlab', 'jira', 'slack', 'notion', 'linear', 'drive', 'calendar', 'mail', 'crm'];
const verbs = ['list', 'get', 'create', 'update', 'delete', 'search', 'assign', 'merge', 'upload', 'archive'];
const nouns = ['issue', 'repository', 'pull_request', 'comment', 'label', 'project', 'message', 'user', 'webhook', 'file'];
const string = description => ({ type: 'string', description });
const tools = places.flatMap(place => verbs.flatMap(verb => nouns.map(noun => ({
  name: `${place}_${verb}_${noun}`,
  description: `The call to ${verb} a ${noun} of the workspace in ${place}. Needs the right to do so.`,
  inputSchema: {
    type: 'object', required: ['owner', 'id'],
    properties: {
      owner: string('Whose it is'), id: { type: 'integer', minimum: 1 }, page: { type: 'integer', default: 1 },
      sort: { enum: ['created', 'updated'] }, labels: { type: 'array', items: { type: 'string' } } } },
  outputSchema: {
    type: 'object', required: ['id', 'url'],
    properties: { id: { type: 'integer' }, url: string('Where it is'), title: { type: ['string', 'null'] } } },
}))));

const server = new Server({ name: 'catalogue', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
await server.connect(new StdioServerTransport());
