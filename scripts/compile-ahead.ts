import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startEmbeddedChain } from '../src/demo/embedded-chain.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RUN = fileURLToPath(new URL('run-and-compile.mjs', import.meta.url));
const PATIENCE_MS = 120_000;

/** What a gateway is asked first, in one way or another: V8 keeps compiled what has run. */
const QUESTION = `{ vaults(first: 50) { pageInfo { hasNextPage endCursor } nodes { address name token { symbol price { usd } }
  totalValue { amount usd } apy { total base farmRewards } allocations { actualShare invested { amount usd } reserve {
  address supplyApy { total base } borrowApy { total } utilization price { usd } market { address name } } } } } }`;
const PATHS = ['/health', '/ready', '/metrics', '/kvaults/vaults', '/v2/kamino-market'];

/**
 * Runs the built gateway over a chain of ours until it has answered, and keeps what V8 has compiled by then beside it:
 * the functions of a start and of the usual answers, and not the others.
 */
export async function compileAhead(): Promise<void> {
  const chain = await startEmbeddedChain({ scale: 1 });
  const child = fork(RUN, {
    cwd: ROOT,
    execArgv: [],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HOST: '127.0.0.1',
      SOLANA_CLUSTER: 'localnet',
      SOLANA_RPC_URLS: chain.rpc.url,
      SOLANA_WS_URLS: chain.rpc.wsUrl,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  try {
    const origin = await said(child.stdout);
    await answered(origin);
    for (const path of PATHS) await (await fetch(`${origin}${path}`)).arrayBuffer();
    child.send('keep');
    const [code] = await ended;
    if (code !== 0) throw new Error(`the gateway was not compiled ahead: it ended with ${code}`);
  } finally {
    child.kill();
    await chain.stop();
  }
}

async function said(output: AsyncIterable<unknown> | null): Promise<string> {
  let text = '';
  for await (const chunk of output ?? []) {
    text += String(chunk);
    const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
    if (origin !== undefined) return origin;
  }
  throw new Error(`the built gateway does not start: ${text}`);
}

async function answered(origin: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query: QUESTION }),
    });
    const text = await response.text();
    if (!text.includes('"errors"')) return;
    if (performance.now() > until) throw new Error(`the built gateway does not answer: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
