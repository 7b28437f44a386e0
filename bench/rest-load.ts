import { connect } from 'node:net';

/** A closed-loop run: each connection sends its next request when the previous one is answered. */
export interface LoadOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Answers that were not 200. */
  readonly failed: number;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Sends requests on one connection until `onAnswer` returns false. Counts body bytes without parsing them. */
function ask(port: number, request: Buffer, onAnswer: (ok: boolean) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let head: Buffer = Buffer.alloc(0);
    let missing = 0;
    let ok = false;
    const answered = () => {
      if (onAnswer(ok)) socket.write(request);
      else socket.end(() => resolve());
    };
    socket.setNoDelay(true);
    socket.on('connect', () => socket.write(request));
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      if (missing > 0) {
        missing -= chunk.length;
        if (missing === 0) answered();
        return;
      }
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf(END_OF_HEAD);
      if (end === -1) return;
      const text = head.toString('latin1', 0, end);
      ok = text.startsWith('HTTP/1.1 200');
      missing =
        Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]) - (head.length - end - END_OF_HEAD.length);
      head = Buffer.alloc(0);
      if (missing === 0) answered();
    });
  });
}

async function run({ url, headers, connections, seconds }: LoadOrder): Promise<LoadResult> {
  const { host, port, pathname, search } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const started = performance.now();
  const until = started + seconds * 1_000;
  let requests = 0;
  let failed = 0;
  const onAnswer = (ok: boolean) => {
    requests += 1;
    if (!ok) failed += 1;
    return performance.now() < until;
  };
  await Promise.all(Array.from({ length: connections }, () => ask(Number(port), request, onAnswer)));
  return { requests, failed, seconds: (performance.now() - started) / 1_000 };
}

process.on('message', async (order) => process.send?.(await run(order as LoadOrder)));
process.once('disconnect', () => process.exit());
