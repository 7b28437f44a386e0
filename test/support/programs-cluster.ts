import type { Address } from '@solana/kit';
import { vaultState } from '../../src/programs/kvault/vault-state.ts';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '../../src/programs/program-ids.ts';
import { associatedTokenAddress } from '../../src/programs/token/addresses.ts';
import { encodeTokenAccount } from '../../src/programs/token/token-account.ts';
import { account } from './fake-ledger.ts';
import { answer, type Script, type ScriptedRpc, startScriptedRpc } from './scripted-rpc.ts';
import { accountIn, serveLedger, TestLedger, withFields } from './test-app-world.ts';

/** The embedded chain behind an RPC that says that programs run: what they do is up to the test. */
export interface ProgramsCluster {
  readonly ledger: TestLedger;
  readonly rpc: ScriptedRpc;
  /** What the RPC says to methods that the embedded chain refuses, from now on. */
  readonly scripts: Map<string, Script>;
  stop(): Promise<void>;
}

export const SIGNATURE = '5'.repeat(87);

export async function startProgramsCluster(): Promise<ProgramsCluster> {
  const ledger = new TestLedger();
  const demo = await serveLedger(ledger);
  const scripts = new Map<string, Script>([
    ['simulateTransaction', simulated(ledger, '{"err":null,"logs":[],"unitsConsumed":123456,"accounts":[]}')],
    ['getGenesisHash', answer('"TestGenesis1111111111111111111111111111111"')],
    ['sendTransaction', answer(JSON.stringify(SIGNATURE))],
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
  return {
    ledger,
    rpc,
    scripts,
    async stop() {
      await rpc.stop();
      await demo.close();
    },
  };
}

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

const PLAIN = {
  delegate: null,
  delegatedAmount: 0n,
  frozen: false,
  nativeRentLamports: null,
  closeAuthority: null,
  extensions: [],
};

/** Takes a vault's fees away: what a test does to a wallet then has no other effect that it would have to work out. */
export function withoutFees(ledger: TestLedger, vault: Address): void {
  const none = { performanceFeeBps: 0n, managementFeeBps: 0n };
  ledger.place(vault, withFields(vaultState, accountIn(ledger, vault), none));
  ledger.advance();
}

/** Gives a wallet so many base units of a vault's shares, from the next slot on. */
export function giveShares(ledger: TestLedger, wallet: Address, vault: Address, amount: bigint): void {
  const { sharesMint } = vaultState.decode(
    { address: vault, ...accountIn(ledger, vault) },
    MAINNET_PROGRAMS.kvault,
  );
  const { address } = associatedTokenAddress(wallet, TOKEN_PROGRAM, sharesMint);
  const data = encodeTokenAccount({ ...PLAIN, mint: sharesMint, owner: wallet, amount });
  ledger.place(address, account(data, TOKEN_PROGRAM));
  ledger.advance();
}
