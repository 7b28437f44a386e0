import {
  type ChainBlock,
  ChainStoppedError,
  type ChainTransaction,
  type LocalChain,
  type SimulationOptions,
  type StoredAccount,
} from '@sluice/localnet/chain';
import { type LocalnetRpc, startRpcServer } from '@sluice/localnet/rpc/server';
import type { TransactionOutcome } from '@sluice/localnet/runtime/outcome';
import { CLOCK_SYSVAR, MAINNET_PROGRAMS, SYSTEM_PROGRAM, SYSVAR_PROGRAM } from '@sluice/protocol/program-ids';
import { encodeClock } from '@sluice/protocol/sysvar/clock';
import type { Address } from '@solana/kit';
import { runOnChain } from '../../../packages/localnet/test/support/chain/run-on-world.ts';

/** The fixed moment of a frozen chain. */
export interface FileMoment {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

type AccountContent = Pick<StoredAccount, 'owner' | 'data' | 'lamports'>;

/** Slots of 400 ms, so that 150 of them are a whole minute. */
const SLOTS_PER_MINUTE = 150n;
const SLOTS_PER_EPOCH = 432_000n;
const KNOWN_SLOTS = 10_000n;

/** A frozen chain of accounts from files, a clock and the programs. */
export class FileChain implements LocalChain {
  readonly slot: bigint;
  readonly faucet = null;
  readonly #timestamp: bigint;
  readonly #accounts: ReadonlyMap<Address, StoredAccount>;

  constructor(accounts: ReadonlyMap<Address, AccountContent>, { slot, timestamp }: FileMoment) {
    this.slot = slot;
    this.#timestamp = timestamp;
    const epoch = slot / SLOTS_PER_EPOCH;
    const clock = encodeClock({
      slot,
      epochStartTimestamp: timestamp - 86_400n,
      epoch,
      leaderScheduleEpoch: epoch + 1n,
      unixTimestamp: timestamp,
    });
    const program = { owner: SYSTEM_PROGRAM, lamports: 1n, data: new Uint8Array(36), executable: true };
    this.#accounts = new Map<Address, StoredAccount>([
      ...Object.values(MAINNET_PROGRAMS).map((address) => [address, program] as const),
      [CLOCK_SYSVAR, { owner: SYSVAR_PROGRAM, lamports: 1n, data: clock, executable: false }],
      ...[...accounts].map(([address, { owner, data, lamports }]) => {
        return [address, { owner, data, lamports, executable: false }] as const;
      }),
    ]);
  }

  get blockHeight(): bigint {
    return this.slot - 1_000n;
  }

  blockTime(slot: bigint): number | null {
    const age = this.slot - slot;
    if (age < 0n || age > KNOWN_SLOTS) return null;
    return Number(this.#timestamp) - Math.ceil((Number(age) * 60) / Number(SLOTS_PER_MINUTE));
  }

  blockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: bigint } {
    return { blockhash: SYSTEM_PROGRAM, lastValidBlockHeight: this.blockHeight + SLOTS_PER_MINUTE };
  }

  isBlockhashValid(blockhash: string): boolean {
    return blockhash === SYSTEM_PROGRAM;
  }

  account(address: Address): StoredAccount | undefined {
    return this.#accounts.get(address);
  }

  *programAccounts(program: Address): Iterable<readonly [Address, StoredAccount]> {
    for (const entry of this.#accounts) if (entry[1].owner === program) yield entry;
  }

  transactionsOf(): readonly ChainTransaction[] {
    return [];
  }

  transaction(): ChainTransaction | undefined {
    return undefined;
  }

  block(slot: bigint): ChainBlock {
    const { blockhash } = this.blockhash();
    return { blockhash, previousBlockhash: blockhash, blockHeight: slot, transactions: [] };
  }

  onSlot(): () => void {
    return () => undefined;
  }

  onTransaction(): () => void {
    return () => undefined;
  }

  simulate(wire: Uint8Array, options: SimulationOptions): TransactionOutcome {
    return runOnChain(this, wire, options);
  }

  send(): TransactionOutcome {
    throw new ChainStoppedError('A frozen chain takes no transactions');
  }
}

/** Serves accounts from files over RPC. */
export async function startFileRpc(
  accounts: ReadonlyMap<Address, AccountContent>,
  moment: FileMoment,
): Promise<LocalnetRpc> {
  return await startRpcServer(new FileChain(accounts, moment));
}
