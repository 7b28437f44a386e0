import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type ControlledLocalnet, startControlledLocalnet } from '@sluice/localnet/localnet';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import {
  answer,
  type Script,
  type ScriptedCall,
  type ScriptedRpc,
  startScriptedRpc,
} from '../../../packages/rpc-pool/test/support/scripted-rpc.ts';

/** A localnet behind an RPC whose answers a test can replace. */
export interface ProgramsCluster {
  readonly chain: ControlledLocalnet;
  readonly rpc: ScriptedRpc;
  /** Answers in place of those of the localnet, by method. */
  readonly scripts: Map<string, Script>;
  /** Runs after each transaction that is sent. */
  afterSend: (sent: number) => unknown;
  /** Writes the key of the wallet of the localnet to a file in the format of the Solana CLI. */
  writeKey(file: string): string;
  /** The same of a new wallet with SOL and these tokens, in base units by mint. */
  newKey(file: string, tokens: Readonly<Record<string, number>>): Promise<string>;
  stop(): Promise<void>;
}

const AIRDROP_LAMPORTS = 100_000_000_000;

async function call(url: string, method: string, params: readonly unknown[]): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { error } = (await (await fetch(url, { method: 'POST', headers, body })).json()) as {
    error?: unknown;
  };
  if (error !== undefined) throw new Error(`${method} failed: ${JSON.stringify(error)}`);
}

export async function startProgramsCluster(): Promise<ProgramsCluster> {
  const chain = await startControlledLocalnet({ scale: 1, seed: 'sluice', frozen: false });
  const scripts = new Map<string, Script>();
  let sent = 0;
  const rpc = await startScriptedRpc(async (call) => {
    const script = scripts.get(call.method);
    if (script !== undefined) return script(call);
    await forward(call, chain.rpc.url);
    if (call.method === 'sendTransaction') cluster.afterSend(++sent);
  });
  const cluster: ProgramsCluster = {
    chain,
    rpc,
    scripts,
    afterSend: () => undefined,
    writeKey(file) {
      writeFileSync(file, JSON.stringify([...chain.secretKey]));
      return file;
    },
    async newKey(file, tokens) {
      const { privateKey } = generateKeyPairSync('ed25519');
      const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
      const bytes = [...Buffer.from(d, 'base64url'), ...Buffer.from(x, 'base64url')];
      writeFileSync(file, JSON.stringify(bytes));
      const { address } = await createKeyPairSignerFromBytes(Uint8Array.from(bytes));
      await call(chain.rpc.url, 'requestAirdrop', [address, AIRDROP_LAMPORTS]);
      for (const [mint, units] of Object.entries(tokens))
        await call(chain.rpc.url, 'localnet_requestTokens', [address, mint, units]);
      return file;
    },
    async stop() {
      await rpc.stop();
      await chain.stop();
    },
  };
  return cluster;
}

/** A call that is under way when the test ends has no answer. */
async function forward({ body, response }: ScriptedCall, url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  try {
    const forwarded = await fetch(url, { method: 'POST', headers, body });
    response.setHeader('content-type', 'application/json');
    response.end(await forwarded.text());
  } catch {
    response.destroy();
  }
}

/** Simulations with this outcome. @param err as the RPC writes it */
export const simulated = (cluster: ProgramsCluster, err: unknown): Script =>
  atSlot(cluster, { err, logs: ['said so'], unitsConsumed: 1, accounts: err === null ? [] : null });

/** Statuses of one transaction. */
export const statuses = (cluster: ProgramsCluster, value: readonly unknown[]): Script =>
  atSlot(cluster, value);

/** Answers for the slot of the localnet at the time of the call. */
const atSlot =
  ({ chain }: ProgramsCluster, value: unknown): Script =>
  (call) =>
    answer(JSON.stringify({ context: { slot: Number(chain.chain.slot) }, value }))(call);
