import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { GatewayProcess } from '../support/processes/gateway-process.ts';

/** Longer than the test, so that only a second signal ends it. */
const LONG_MS = '600000';
const REQUESTS = 20;
const QUERY = JSON.stringify({ query: '{ vaults(first: 3) { nodes { name } } }' });

let gateway: GatewayProcess | undefined;
afterEach(() => gateway?.kill('SIGKILL'));

interface Answer {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly body: string;
}

/** Without an agent, each request has a connection of its own. */
async function send(url: string, body: string | null = null, agent: Agent | false = false): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = body === null ? {} : { 'content-type': 'application/json' };
    const sent = request(url, { agent, method: body === null ? 'GET' : 'POST', headers }, resolve);
    sent.on('error', reject);
    sent.end(body ?? '');
  });
  const { statusCode: status, headers } = response;
  return { status, connection: headers.connection, body: await text(response) };
}

describe('a gateway that receives SIGTERM', () => {
  it('says so in /ready, answers new and open connections, closes them, and ends at once on SIGINT', async () => {
    gateway = new GatewayProcess({ DRAIN_MS: LONG_MS });
    const url = await gateway.ready();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await send(`${url}/graphql`, QUERY, agent)).connection).toBe('keep-alive');
    gateway.kill('SIGTERM');
    let ready = await send(`${url}/ready`);
    while (ready.status === 200) ready = await send(`${url}/ready`);
    expect([ready.status, ready.connection]).toEqual([503, 'close']);
    expect(JSON.parse(ready.body)).toMatchObject({
      status: 'not ready',
      reasons: ['the gateway is stopping'],
    });
    const agents = [agent, ...Array.from({ length: REQUESTS }, (): false => false)];
    const answers = await Promise.all(agents.map((each) => send(`${url}/graphql`, QUERY, each)));
    for (const { status, connection, body } of answers) {
      expect([status, connection]).toEqual([200, 'close']);
      expect(JSON.parse(body).data.vaults.nodes).toHaveLength(3);
    }
    expect((await send(`${url}/health`)).status).toBe(200);
    expect(gateway.hasExited).toBe(false);
    gateway.kill('SIGINT');
    expect(await gateway.exited).toBe(0);
    expect(gateway.stderr).toBe('');
    agent.destroy();
  });

  it('ends by itself after DRAIN_MS', async () => {
    gateway = new GatewayProcess({ DRAIN_MS: '200' });
    await gateway.ready();
    gateway.kill('SIGTERM');
    expect(await gateway.exited).toBe(0);
  });

  it('loses no request that it accepted while clients send across the end of DRAIN_MS', async () => {
    gateway = new GatewayProcess({ DRAIN_MS: '500', LOG_LEVEL: 'info' });
    const url = await gateway.ready();
    const running = gateway;
    const answered = new Set<string>();
    const client = async (name: string, agent: Agent | false) => {
      for (let i = 0; !running.hasExited; i += 1) {
        const path = `/graphql/${name}-${i}`;
        // Refused by the operating system, or reset in its queue: the process has never seen these.
        const answer = await send(`${url}${path}`, null, agent).catch(() => null);
        if (answer !== null) answered.add(path);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const clients = [
      ...agents.map((agent, i) => client(`kept-${i}`, agent)),
      ...agents.map((_, i) => client(`fresh-${i}`, false)),
    ];
    while (answered.size < REQUESTS) await new Promise((resolve) => setTimeout(resolve, 5));
    gateway.kill('SIGTERM');
    expect(await gateway.exited).toBe(0);
    await Promise.all(clients);
    for (const agent of agents) agent.destroy();
    // Each accepted request has a line in the log.
    const accepted = [...gateway.stdout.matchAll(/"path":"(\/graphql\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    expect(accepted.length).toBeGreaterThan(REQUESTS);
    expect(accepted.filter((path) => !answered.has(path))).toEqual([]);
  });
});
