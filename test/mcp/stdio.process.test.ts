import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeKey } from '../../src/limits/keys/api-key.ts';
import { KeyFolder } from '../../src/limits/keys/key-folder.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { STILL, startReadyApp } from '../support/apps/test-app.ts';
import { type SocketSite, serveOnSocket } from '../support/http/socket-site.ts';
import { connectMcp, type Era, type McpSession, newClient, sessionOf } from '../support/mcp/mcp-client.ts';
import { programArgs } from '../support/processes/program-args.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** No sooner than a program starts on a busy machine. */
const START_MS = 240_000;

let acting: ActingApp;
let site: SocketSite;

beforeAll(async () => {
  // No tool is asked here for transactions of the past; reading all of them takes as long as the tests.
  acting = await startActingApp({ recorder: true, env: { INGEST_REQUESTS_PER_SECOND: '1' } });
  site = await serveOnSocket(acting.gateway.app);
});
afterAll(async () => {
  await site?.close();
  await acting?.stop();
});

const environment = (env: Readonly<Record<string, string>> = {}): Record<string, string> => {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, ...env };
};

async function connect(era: Era, args: readonly string[], env = environment()): Promise<McpSession> {
  const client = newClient(era);
  const started = { command: process.execPath, args: [...programArgs('mcp'), ...args], cwd: ROOT, env };
  await client.connect(new StdioClientTransport(started), { timeout: START_MS });
  return await sessionOf(client);
}

describe.each(['modern', 'legacy'] as const)('over stdio with the %s revision', (era) => {
  it('runs every tool, with the answers of HTTP in the same View', { timeout: 2 * START_MS }, async () => {
    const { vault, wallet, obligation, tokenMint } = acting.localnet.addresses;
    const [stdio, http] = [
      await connect(era, ['--url', site.url]),
      await connectMcp(acting.gateway.app, era),
    ];
    expect(stdio.tools).toEqual(http.tools);
    const actions = [{ vaultDeposit: { wallet, vault, amount: { tokens: '1' } } }];
    const calls: readonly (readonly [string, Record<string, unknown>])[] = [
      ['discover', { find: { vaults: {} } }],
      ['inspect', { address: obligation }],
      ['inspect', { address: wallet }],
      ['simulate', { suppose: { actions } }],
      [
        'simulate',
        { suppose: { whatIf: { subject: { wallet }, prices: [{ mint: tokenMint, changePct: 5 }] } } },
      ],
      ['graphql', { query: '{ vaults(first: 2) { nodes { name totalValue { usd } } } }' }],
    ];
    for (const [name, args] of calls) {
      const answer = await stdio.call<object>(name, args);
      expect(answer, name).toEqual(await http.call(name, { ...args, view: answer.chain.view }));
    }
    await vi.waitUntil(async () => !(await stdio.result('history', { address: vault })).isError, {
      timeout: 120_000,
    });
    expect(JSON.stringify(await stdio.call('history', { address: vault }))).toContain('"points"');

    type Prepared = { buildPlan: { transactions: { base64: string }[]; simulation: { success: boolean } } };
    const { data } = await stdio.call<Prepared>('prepare', { actions });
    const transaction = data.buildPlan.transactions[0]?.base64 ?? '';
    expect(data.buildPlan.simulation.success).toBe(true);
    const explained = await stdio.call<{ explainTransaction: object }>('explain_transaction', {
      transaction,
    });
    expect(explained.data.explainTransaction).toMatchObject({
      feePayer: wallet,
      simulation: { success: true },
    });

    const { contents } = await stdio.client.readResource({ uri: 'sluice://schema.graphql' });
    expect(contents).toEqual((await http.client.readResource({ uri: 'sluice://schema.graphql' })).contents);
    expect((await stdio.failure('inspect', { address: 'nonsense' })).code).toBe('ADDRESS_INVALID');
    await stdio.close();
    await http.close();
  });
});

describe('the command', () => {
  it('sends the key of its arguments or settings', { timeout: 3 * START_MS }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'));
    const made = makeKey({ name: 'assistant', limit: 0, origins: [] }, new Date());
    await new KeyFolder(folder).add(made.key);
    const env = { ...STILL, KEYS_DIR: folder, REQUIRE_KEY: 'on' };
    const gateway = await startReadyApp({ rpcUrls: [acting.localnet.rpc.url], env });
    const locked = await serveOnSocket(gateway.app);
    const ask = async (args: readonly string[], settings = environment()) => {
      const session = await connect('modern', ['--url', locked.url, ...args], settings);
      const answer = await session.result('discover', { find: { markets: {} }, first: 1 });
      await session.close();
      return JSON.stringify(answer.content);
    };
    expect(await ask([])).toContain('UNAUTHENTICATED');
    expect(await ask(['--key', made.text])).toContain('totalCount');
    expect(await ask([], environment({ MCP_KEY: made.text }))).toContain('totalCount');
    await locked.close();
    await gateway.stop();
    await rm(folder, { recursive: true });
  });

  it('tells what to do when no gateway answers', { timeout: START_MS }, async () => {
    const session = await connect('modern', ['--url', 'http://127.0.0.1:9']);
    const error = await session.failure('discover', { find: { markets: {} } });
    expect(error).toMatchObject({ code: 'GATEWAY_UNREACHABLE', retryable: true });
    expect(error.message).toContain('http://127.0.0.1:9. Start one with npm start');
    await session.close();
  });

  it('writes nothing but messages to stdout as an npm script, and ends with its input', {
    timeout: START_MS,
  }, async () => {
    const child = spawn('npm', ['run', '--silent', 'mcp', '--', '--url', site.url], {
      cwd: ROOT,
      env: environment(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'tests', version: '1' },
    };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    await vi.waitUntil(() => output.includes('\n'), { timeout: START_MS });
    child.stdin.end();
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    const messages = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result: object });
    expect(messages).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        result: expect.objectContaining({ serverInfo: expect.objectContaining({ name: 'sluice' }) }),
      },
    ]);
  });

  it('prints how to call it for invalid arguments, on stderr', { timeout: START_MS }, async () => {
    const child = spawn(
      process.execPath,
      [...programArgs('mcp'), '--url', 'http://user:secret@127.0.0.1:9'],
      {
        cwd: ROOT,
        env: environment(),
      },
    );
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      errors += String(chunk);
    });
    const [code] = await once(child, 'close');
    expect([code, output]).toEqual([2, '']);
    expect(errors).toContain('npm run --silent mcp');
    expect(errors).not.toContain('secret');
  });
});
