import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A proxy that delays every RPC call: `tsx slow-rpc.ts URL MS`. A GET returns the number of calls per method since the
 * previous GET.
 */
const [target = '', delay = '25'] = process.argv.slice(2);
let calls: Record<string, number> = {};

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(calls));
    calls = {};
    return;
  }
  const body = await bodyOf(request);
  const { method = 'batch' } = JSON.parse(body.toString()) as { method?: string };
  calls[method] = (calls[method] ?? 0) + 1;
  await new Promise((resolve) => setTimeout(resolve, Number(delay)));
  const headers = {
    ...request.headers,
    host: new URL(target).host,
    'content-length': String(body.length),
  };
  const forward = () => {
    const upstream = httpRequest(target, { method: 'POST', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    // The upstream may close a keep-alive connection just as it is reused.
    upstream.on('error', () => (upstream.reusedSocket ? forward() : response.destroy()));
    upstream.end(body);
  };
  forward();
});
// Longer than any client is idle, so that connections stay open.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
