import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GatewayProcess } from '../support/processes/gateway-process.ts';

/** A little more than twice the time after which a silent socket is cut. */
const SILENCE_MS = 135_000;
const PATIENCE_MS = 120_000;

let gateway: GatewayProcess;
let url: string;
beforeAll(async () => {
  gateway = new GatewayProcess({
    VIEW_REFRESH_MS: '100',
    VAULT_REFRESH_MS: '100',
    STREAM_STALL_MS: '1000',
    RATE_LIMIT: '0',
  });
  url = await gateway.ready();
}, 180_000);
afterAll(() => gateway?.kill('SIGKILL'));

async function hasStalled(): Promise<boolean> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return /^sluice_streams_ended_total\{[^}]*"stalled"[^}]*\} [1-9]/m.test(metrics);
}

it('a client that reads nothing loses its stream, then its socket, without effect on others', async () => {
  const listed = await fetch(`${url}/kvaults/vaults`);
  const addresses = ((await listed.json()) as { address: string }[]).map(({ address }) => address);
  // Large events fill the socket buffers quickly.
  const query = `subscription ($a: [Address!]!) { vaults(addresses: $a) { slot vault {
    name state { ${await fieldsOfState()} } allocations { reserve { address market { name } vaults(first: 50) { nodes { name } } } } } } }`;
  const body = JSON.stringify({ query, variables: { a: addresses } });
  const { hostname, port } = new URL(url);
  const client = connect(Number(port), hostname);
  client.pause();
  await once(client, 'connect');
  const head = [
    'POST /graphql HTTP/1.1',
    `host: ${hostname}`,
    'accept: text/event-stream',
    'content-type: application/json',
  ];
  client.write(`${head.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);

  const deadline = performance.now() + PATIENCE_MS;
  while (!(await hasStalled())) {
    expect(performance.now()).toBeLessThan(deadline);
    await sleep(200);
  }
  // The gateway waits for unread data: the client may only be slow.
  expect(isHeldByGateway(client)).toBe(true);
  await sleep(SILENCE_MS);
  expect(isHeldByGateway(client)).toBe(false);
  client.destroy();
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  expect(gateway.stderr).toBe('');
});

/** Whether a process holds the other end of a connection open, by the connection table of the system. */
function isHeldByGateway({ localPort, remotePort }: Socket): boolean {
  const hex = (port = 0) => port.toString(16).toUpperCase().padStart(4, '0');
  const [local, remote] = [`:${hex(remotePort)}`, `:${hex(localPort)}`];
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  // A connection that only the kernel holds has no inode.
  return lines.some((line) => {
    const fields = line.trim().split(/\s+/);
    return fields[1]?.endsWith(local) && fields[2]?.endsWith(remote) && fields[9] !== '0';
  });
}

/** All plain fields of a vault's account. */
async function fieldsOfState(): Promise<string> {
  const query = '{ __type(name: "VaultState") { fields { name type { kind ofType { kind } } } } }';
  const asked = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  interface Field {
    readonly name: string;
    readonly type: { readonly kind: string; readonly ofType: { readonly kind: string } | null };
  }
  const { data } = (await asked.json()) as { data: { __type: { fields: readonly Field[] } } };
  return data.__type.fields
    .filter(({ type }) => ['SCALAR', 'ENUM'].includes(type.ofType?.kind ?? type.kind))
    .filter(({ type }) => type.kind !== 'LIST')
    .map(({ name }) => name)
    .join(' ');
}
