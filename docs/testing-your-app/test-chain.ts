import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Your checkout of Sluice, after `npm install`. */
const SLUICE = fileURLToPath(new URL('../..', import.meta.url));

/** What `npm run demo-rpc -- --json` prints. */
export interface ChainInfo {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** 64 bytes: the key of `wallet`, as in a Solana key file. */
  readonly secretKey: readonly number[];
  readonly wallet: string;
  readonly market: string;
  readonly vault: string;
  /** Belongs to `wallet`: it deposits SOL in `depositReserve` and owes USDC to `borrowReserve`. */
  readonly obligation: string;
  readonly depositReserve: string;
  readonly borrowReserve: string;
}

/** A frozen chain and a gateway that reads it, each in a process of its own. */
export class TestChain {
  readonly info: ChainInfo;
  readonly gatewayUrl: string;
  readonly #processes: readonly ChildProcess[];

  private constructor(info: ChainInfo, gatewayUrl: string, processes: readonly ChildProcess[]) {
    this.info = info;
    this.gatewayUrl = gatewayUrl;
    this.#processes = processes;
  }

  /** The same seed gives the same addresses and keys. */
  static async start(seed: string): Promise<TestChain> {
    const chain = run(['src/cli/demo-rpc/main.ts', '--port', '0', '--seed', seed, '--frozen', '--json'], {});
    const processes = [chain];
    try {
      const info = JSON.parse(await lineWith(chain, '{')) as ChainInfo;
      const gateway = run(['src/main.ts'], {
        PORT: '0',
        SOLANA_RPC_URLS: info.rpcUrl,
        SOLANA_WS_URLS: info.wsUrl,
        SOLANA_CLUSTER: 'localnet',
        SEND_TRANSACTIONS: 'on',
        RATE_LIMIT: '0',
      });
      processes.push(gateway);
      const [gatewayUrl = ''] = /http:\/\/[\w.:]+/.exec(await lineWith(gateway, 'http://')) ?? [];
      while (!(await fetch(`${gatewayUrl}/ready`)).ok) await sleep(100);
      return new TestChain(info, gatewayUrl, processes);
    } catch (error) {
      await stopAll(processes);
      throw error;
    }
  }

  async stop(): Promise<void> {
    await stopAll(this.#processes);
  }

  /** Calls a JSON-RPC method of the chain. */
  async rpc(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const { result, error } = await post<{ result: unknown; error?: { message: string } }>(this.info.rpcUrl, {
      jsonrpc: '2.0',
      id: 1,
      method,
      params,
    });
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** The slot that the chain has reached. */
  async slot(): Promise<string> {
    return String(await this.rpc('getSlot', { commitment: 'confirmed' }));
  }

  /** Sends a GraphQL operation. With `minSlot`, the answer includes all that happened up to that slot. */
  async graphql<Data>(query: string, variables: object, minSlot?: string): Promise<Data> {
    const headers = minSlot === undefined ? {} : { 'x-min-slot': minSlot };
    const { data, errors } = await post<{ data: Data; errors?: readonly { message: string }[] }>(
      `${this.gatewayUrl}/graphql`,
      { query, variables },
      headers,
    );
    if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('; '));
    return data;
  }
}

function run(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', ...args], {
    cwd: SLUICE,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The first line of output that contains a text. */
async function lineWith(child: ChildProcess, text: string): Promise<string> {
  if (child.stdout === null) throw new Error('the process has no output');
  // The process must not block on a full pipe, so its output is read to the end.
  const lines = createInterface({ input: child.stdout });
  return await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.includes(text)) resolve(line);
    });
    lines.once('close', () => reject(new Error('the process ended before it was ready')));
  });
}

async function stopAll(processes: readonly ChildProcess[]): Promise<void> {
  for (const child of processes.toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  }
}

async function post<Answer>(
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Answer;
}
