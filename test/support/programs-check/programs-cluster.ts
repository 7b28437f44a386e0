import { writeFileSync } from 'node:fs';
import { type Address, generateKeyPair } from '@solana/kit';
import { vaultState } from '../../../src/programs/kvault/vault-state.ts';
import { accountIn, serveLedger, TestLedger, withFields } from '../ledger/test-ledger.ts';
import {
  answer,
  type Script,
  type ScriptedCall,
  type ScriptedRpc,
  startScriptedRpc,
} from '../rpc/scripted-rpc.ts';
import { actionIn, applyTransaction } from './instruction-effects.ts';

/** The embedded chain with an RPC that applies the effects of sent transactions, as far as they are read back. */
export interface ProgramsCluster {
  readonly ledger: TestLedger;
  readonly rpc: ScriptedRpc;
  /** What the RPC says to methods that the embedded chain refuses, from now on. */
  readonly scripts: Map<string, Script>;
  /** The program's names of the actions that were sent; null for a transaction that only sets up. */
  readonly sent: readonly (string | null)[];
  /** What the programs make of an amount that they were asked to act on: the same, unless a test says otherwise. */
  change: (name: string, amount: bigint) => bigint;
  stop(): Promise<void>;
}

export const SIGNATURE = '5'.repeat(87);

export async function startProgramsCluster(): Promise<ProgramsCluster> {
  const ledger = new TestLedger();
  const demo = await serveLedger(ledger);
  const sent: (string | null)[] = [];
  const take: Script = (call) => {
    sent.push(applyTransaction(ledger, wireIn(call), cluster.change));
    answer(JSON.stringify(SIGNATURE))(call);
  };
  const scripts = new Map<string, Script>([
    ['simulateTransaction', simulated(ledger, '{"err":null,"logs":[],"unitsConsumed":123456,"accounts":[]}')],
    ['getGenesisHash', answer('"TestGenesis1111111111111111111111111111111"')],
    ['sendTransaction', take],
    ['getSignatureStatuses', statuses(ledger, '"confirmed"', 'null')],
  ]);
  const rpc = await startScriptedRpc(async (call) => {
    const script = scripts.get(call.method);
    if (script !== undefined) return script(call);
    const headers = { 'content-type': 'application/json' };
    const forwarded = await fetch(demo.url, { method: 'POST', headers, body: call.body });
    call.response.setHeader('content-type', 'application/json');
    call.response.end(await forwarded.text());
  });
  const cluster: ProgramsCluster = {
    ledger,
    rpc,
    scripts,
    sent,
    change: (_, amount) => amount,
    async stop() {
      await rpc.stop();
      await demo.close();
    },
  };
  return cluster;
}

const wireIn = ({ params }: ScriptedCall) => new Uint8Array(Buffer.from(String(params[0]), 'base64'));

/** Simulations in which the program of the action refuses it with its own code. */
export const refusing =
  (ledger: TestLedger, codes: { readonly lending: number; readonly vault: number }): Script =>
  (call) => {
    const { index, inVault } = actionIn(ledger, wireIn(call));
    const err = { InstructionError: [index, { Custom: inVault ? codes.vault : codes.lending }] };
    simulated(ledger, JSON.stringify({ err, logs: ['said so'], unitsConsumed: 1, accounts: null }))(call);
  };

export const simulated =
  (ledger: TestLedger, value: string): Script =>
  (call) =>
    answer(`{"context":{"slot":${ledger.slot}},"value":${value}}`)(call);

export const statuses =
  (ledger: TestLedger, confirmation: string, err: string): Script =>
  (call) =>
    answer(
      `{"context":{"slot":${ledger.slot}},"value":[{"slot":${ledger.slot},"confirmations":null,"err":${err},"confirmationStatus":${confirmation}}]}`,
    )(call);

/** Removes the fees of a vault, so that actions of a wallet have no side effects on it. */
export function withoutFees(ledger: TestLedger, vault: Address): void {
  const none = { performanceFeeBps: 0n, managementFeeBps: 0n, crankFundFeePerReserve: 0n };
  ledger.place(vault, withFields(vaultState, accountIn(ledger, vault), none));
  ledger.advance();
}

/** Writes a new key file in the format of the Solana CLI. */
export async function writeKey(file: string): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair(true);
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey));
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
  writeFileSync(file, JSON.stringify([...pkcs8.slice(-32), ...raw]));
  return file;
}
