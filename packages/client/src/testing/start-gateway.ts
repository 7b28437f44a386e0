import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import { createClient, type SluiceClient } from '../client.ts';
import { kitSigner } from '../kit.ts';
import type { TransactionSigner } from '../signers.ts';
import { gatewayFolder, programArguments } from './gateway-folder.ts';
import { Program } from './program.ts';

export interface StartGatewayOptions {
  /** Decides the world: the same seed gives the same addresses and keys. Defaults to `sluice`. */
  readonly seed?: string;
  /** Time moves only on request, and by one slot after each transaction. Nobody but the test acts. Defaults to true. */
  readonly frozen?: boolean;
  /** Folder of a checkout of sluice. Defaults to `SLUICE_GATEWAY`, or the checkout that has this package. */
  readonly gateway?: string;
  /** Settings of the gateway, as environment variables. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Addresses of the world to start with. */
export interface TestAddresses {
  /** The localnet wallet. */
  readonly wallet: string;
  readonly vault: string;
  /** The token that `vault` takes. */
  readonly tokenMint: string;
  readonly market: string;
  /** Belongs to the localnet wallet: it deposits in `depositReserve` and owes to `borrowReserve`. */
  readonly obligation: string;
  readonly depositReserve: string;
  readonly borrowReserve: string;
}

/** The localnet wallet, as a signer for `runAction`. */
export interface TestWallet extends TransactionSigner {
  /** The same wallet for `@solana/kit`. */
  readonly keyPair: KeyPairSigner;
}

/** A chain and a gateway for a test. */
export interface TestGateway {
  readonly url: string;
  /** A client of the gateway. Its answers may be a few seconds old: see `latest`. */
  readonly client: SluiceClient;
  readonly wallet: TestWallet;
  readonly addresses: TestAddresses;
  /** A client whose answers include all that has happened on the chain so far. */
  latest(): Promise<SluiceClient>;
  /** Calls a JSON-RPC method of the chain, for example `rpc('localnet_setPrice', 'SOL', '20')`. */
  rpc(method: string, ...params: readonly unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

/** Output of `sluice-localnet --json`. */
interface ChainInfo extends TestAddresses {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly secretKey: readonly number[];
}

/**
 * Starts a localnet and a gateway that reads it, each in a process of its own, and waits until it can answer.
 *
 * @example
 * const gateway = await startGateway();
 * const { data } = await gateway.client.query(VAULTS, { first: 5 });
 * await gateway.stop();
 */
export async function startGateway({
  seed = 'sluice',
  frozen = true,
  gateway,
  settings = {},
}: StartGatewayOptions = {}): Promise<TestGateway> {
  const folder = gatewayFolder(gateway);
  const programs: Program[] = [];
  const start = (args: readonly string[], env: Readonly<Record<string, string>>): Program => {
    const program = new Program({ folder, args, env });
    programs.push(program);
    return program;
  };
  const stop = async () => {
    for (const program of programs.toReversed()) await program.stop();
  };
  try {
    const flags = ['--port', '0', '--seed', seed, '--json', ...(frozen ? ['--frozen'] : [])];
    const localnet = await programArguments(folder, 'localnet');
    const info = await start([...localnet, ...flags], {}).until(chainInfo);
    const server = start(await programArguments(folder, 'main'), {
      PORT: '0',
      SOLANA_RPC_URLS: info.rpcUrl,
      SOLANA_WS_URLS: info.wsUrl,
      SOLANA_CLUSTER: 'localnet',
      SEND_TRANSACTIONS: 'on',
      RATE_LIMIT: '0',
      DRAIN_MS: '0',
      ...settings,
    });
    const url = await server.until((output) => /http:\/\/[\w.]+:\d+/.exec(output)?.[0] ?? null);
    await server.until(async () => ((await fetch(`${url}/ready`)).ok ? true : null));
    return await gatewayOf(url, info, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function gatewayOf(url: string, info: ChainInfo, stop: () => Promise<void>): Promise<TestGateway> {
  const { rpcUrl, wsUrl: _, secretKey, ...addresses } = info;
  const keyPair = await createKeyPairSignerFromBytes(Uint8Array.from(secretKey));
  const client = createClient({ url });
  const rpc: TestGateway['rpc'] = (method, ...params) => callRpc(rpcUrl, method, params);
  return {
    url,
    client,
    wallet: { ...kitSigner(keyPair), keyPair },
    addresses,
    latest: async () => client.after(String(await rpc('getSlot', { commitment: 'confirmed' }))),
    rpc,
    stop,
  };
}

function chainInfo(output: string): ChainInfo | null {
  const [line] = /^\{.*\}$/m.exec(output) ?? [];
  return line === undefined ? null : (JSON.parse(line) as ChainInfo);
}

async function callRpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}
