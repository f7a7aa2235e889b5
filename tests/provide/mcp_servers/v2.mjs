// A server of the SDK's second line, in both eras of the protocol:
//
//     v2.mjs MODULES stdio       over standard input and output
//     v2.mjs MODULES http        prints the port it listens on
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , modules, how] = process.argv;
const load = name => import(pathToFileURL(createRequire(join(modules, 'x.mjs')).resolve(name)));
const { McpServer, acceptedContent, createMcpHandler, inputRequired } = await load('@modelcontextprotocol/server');
const { z } = await load('zod');

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const SOUND = Buffer.from('RIFF$\0\0\0WAVEfmt ').toString('base64');
const text = value => ({ type: 'text', text: value });
const stock = new Map([['bolt', 12], ['nut', 40], ['washer', 0], ['gear', 7], ['spring', 3]]);

function make() {
  const server = new McpServer({ name: 'stock', version: '2.0.0' });
  server.registerTool('list_parts', { outputSchema: z.object({ parts: z.array(z.string()) }) }, () => {
    const structuredContent = { parts: [...stock.keys()] };
    return { content: [text(JSON.stringify(structuredContent))], structuredContent };
  });
  server.registerTool('get_part', {
    description: 'One part of the stock', annotations: { readOnlyHint: true },
    inputSchema: z.object({ name: z.string() }), outputSchema: z.object({ name: z.string(), count: z.number().int() }),
  }, ({ name }) => {
    if (!stock.has(name)) return { content: [text(`no part ${name}`)], isError: true };
    const structuredContent = { name, count: stock.get(name) };
    return { content: [text(JSON.stringify(structuredContent))], structuredContent };
  });
  server.registerTool('picture', { inputSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    content: [text(name), { type: 'image', data: PIXEL, mimeType: 'image/png' },
      { type: 'audio', data: SOUND, mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: `stock://${name}.bin`, mimeType: 'application/octet-stream', blob: 'AAEC/w==' } },
      { type: 'resource_link', uri: `stock://${name}`, name }],
  }));
  server.registerTool('recount', { inputSchema: z.object({ steps: z.number().int() }) }, async ({ steps }, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (let progress = 1; progress <= steps; progress++) {
      await new Promise(resolve => setTimeout(resolve, 150));
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({ method: 'notifications/progress',
          params: { progressToken, progress, total: steps, message: `part ${progress}` } });
    }
    return { content: [text(`counted ${steps}`)] };
  });
  server.registerTool('order', {
    inputSchema: z.object({ name: z.string(), count: z.number().int().min(1).max(100) }),
    annotations: { destructiveHint: true },
  }, ({ name, count }, ctx) => {
    const requestedSchema = z.object({ confirm: z.boolean(), note: z.string().optional() });
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'sure', requestedSchema);
    if (ctx.mcpReq.inputResponses?.sure && answer?.confirm !== true) return { content: [text('not ordered')], isError: true };
    if (!answer)
      return inputRequired({ inputRequests: {
        sure: inputRequired.elicit({ message: `Order ${count} of ${name}?`, requestedSchema }) } });
    return { content: [text(JSON.stringify({ name, count, note: answer.note ?? null }))] };
  });
  return server;
}

if (how === 'http') {
  const { toNodeHandler } = await load('@modelcontextprotocol/node');
  const server = createServer(toNodeHandler(createMcpHandler(make)));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
} else {
  const { serveStdio } = await load('@modelcontextprotocol/server/stdio');
  serveStdio(make);
}
