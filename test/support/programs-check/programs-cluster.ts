import { writeFileSync } from 'node:fs';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { type Address, generateKeyPair } from '@solana/kit';
import {
  accountIn,
  serveChain,
  TestChain,
  withFields,
} from '../../../packages/localnet/test/support/chain/test-world.ts';
import {
  answer,
  type Script,
  type ScriptedCall,
  type ScriptedRpc,
  startScriptedRpc,
} from '../../../packages/rpc-pool/test/support/scripted-rpc.ts';
import { actionIn, applyTransaction } from './instruction-effects.ts';

/** The localnet with an RPC that applies the effects of sent transactions, as far as they are read back. */
export interface ProgramsCluster {
  readonly localChain: TestChain;
  readonly rpc: ScriptedRpc;
  /** Sets the answer of the RPC to methods that the localnet refuses. */
  readonly scripts: Map<string, Script>;
  /** The program's names of the actions that were sent; null for a transaction that only sets up. */
  readonly sent: readonly (string | null)[];
  /** Amount that the programs act on, for the one that they were asked for: the same, unless a test says otherwise. */
  change: (name: string, amount: bigint) => bigint;
  stop(): Promise<void>;
}

export const SIGNATURE = '5'.repeat(87);

export async function startProgramsCluster(): Promise<ProgramsCluster> {
  const localChain = new TestChain();
  const served = await serveChain(localChain);
  const sent: (string | null)[] = [];
  const take: Script = (call) => {
    sent.push(applyTransaction(localChain, wireIn(call), cluster.change));
    answer(JSON.stringify(SIGNATURE))(call);
  };
  const scripts = new Map<string, Script>([
    [
      'simulateTransaction',
      simulated(localChain, '{"err":null,"logs":[],"unitsConsumed":123456,"accounts":[]}'),
    ],
    ['getGenesisHash', answer('"TestGenesis1111111111111111111111111111111"')],
    ['sendTransaction', take],
    ['getSignatureStatuses', statuses(localChain, '"confirmed"', 'null')],
  ]);
  const rpc = await startScriptedRpc(async (call) => {
    const script = scripts.get(call.method);
    if (script !== undefined) return script(call);
    await forward(call, served.url);
  });
  const cluster: ProgramsCluster = {
    localChain,
    rpc,
    scripts,
    sent,
    change: (_, amount) => amount,
    async stop() {
      await rpc.stop();
      await served.close();
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

const wireIn = ({ params }: ScriptedCall) => new Uint8Array(Buffer.from(String(params[0]), 'base64'));

/** Simulations in which the program of the action refuses it with its own code. */
export const refusing =
  (localChain: TestChain, codes: { readonly lending: number; readonly vault: number }): Script =>
  (call) => {
    const { index, inVault } = actionIn(localChain, wireIn(call));
    const err = { InstructionError: [index, { Custom: inVault ? codes.vault : codes.lending }] };
    simulated(localChain, JSON.stringify({ err, logs: ['said so'], unitsConsumed: 1, accounts: null }))(call);
  };

export const simulated =
  (localChain: TestChain, value: string): Script =>
  (call) =>
    answer(`{"context":{"slot":${localChain.slot}},"value":${value}}`)(call);

export const statuses =
  (localChain: TestChain, confirmation: string, err: string): Script =>
  (call) =>
    answer(
      `{"context":{"slot":${localChain.slot}},"value":[{"slot":${localChain.slot},"confirmations":null,"err":${err},"confirmationStatus":${confirmation}}]}`,
    )(call);

/** Removes the fees of a vault, so that actions of a wallet have no side effects on it. */
export function withoutFees(localChain: TestChain, vault: Address): void {
  const none = { performanceFeeBps: 0n, managementFeeBps: 0n, crankFundFeePerReserve: 0n };
  localChain.place(vault, withFields(vaultState, accountIn(localChain, vault), none));
  localChain.advance();
}

/** Writes a new key file in the format of the Solana CLI. */
export async function writeKey(file: string): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair(true);
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey));
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
  writeFileSync(file, JSON.stringify([...pkcs8.slice(-32), ...raw]));
  return file;
}
