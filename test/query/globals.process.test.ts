import { expect, it } from 'vitest';
import { createHttpServer } from '../../src/http/server.ts';

it('a server leaves the global Request and Response alone, so that fetch takes them', async () => {
  const [request, response] = [globalThis.Request, globalThis.Response];
  const server = createHttpServer(
    { fetch: async () => new Response('hello'), serveCached: (next) => next },
    { requestTimeoutMs: 1_000 },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const answer = await fetch(new Request(`http://127.0.0.1:${address.port}/`));
    expect(await answer.text()).toBe('hello');
    expect([globalThis.Request, globalThis.Response]).toEqual([request, response]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
