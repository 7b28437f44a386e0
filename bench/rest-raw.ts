import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The gateway's answer for one path. */
export interface RawAnswer {
  readonly headers: Readonly<Record<string, string>>;
  /** Base64. */
  readonly body: string;
}

/**
 * Baseline: a bare HTTP server that sends given bytes with given headers. It receives the answers from its parent and sends
 * back its URL. `/metrics` reports CPU time, as the gateway's does.
 */
process.once('message', (message) => {
  const answers = new Map(
    Object.entries(message as Readonly<Record<string, RawAnswer>>).map(([path, { headers, body }]) => [
      path,
      { headers, body: Buffer.from(body, 'base64') },
    ]),
  );
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/metrics') {
      const { user, system } = process.cpuUsage();
      outgoing.end(`process_cpu_seconds_total ${(user + system) / 1e6}\n`);
      return;
    }
    const answer = answers.get(incoming.url ?? '');
    outgoing.writeHead(answer === undefined ? 404 : 200, answer?.headers);
    outgoing.end(answer?.body);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
});
process.once('disconnect', () => process.exit());
