import type {
  ChainBlock,
  ChainTransaction,
  LocalChain,
  SimulationOptions,
  StoredAccount,
  TransactionListener,
} from '@sluice/localnet/chain';
import type { TransactionOutcome } from '@sluice/localnet/runtime/outcome';
import { CLOCK_SYSVAR } from '@sluice/protocol/program-ids';
import { decodeClock, encodeClock } from '@sluice/protocol/sysvar/clock';
import type { Address } from '@solana/kit';

/** False answers of a node. */
export interface Lie {
  /** Added to the slot of every answer, and to the answer of getSlot. */
  readonly slots?: bigint;
  /** Added to the slot in the clock account. */
  readonly clockSlots?: bigint;
  /** Added to the time in the clock account. */
  readonly clockSeconds?: bigint;
  /** Added to the slot of every notification. */
  readonly notifiedSlots?: bigint;
  /** Accounts that it says do not exist. */
  readonly withholds?: (address: Address) => boolean;
}

/** Another chain as a lying node shows it. */
export class LyingChain implements LocalChain {
  lie: Lie = {};
  readonly #truth: LocalChain;

  constructor(truth: LocalChain) {
    this.#truth = truth;
  }

  get slot(): bigint {
    return this.#truth.slot + (this.lie.slots ?? 0n);
  }

  get blockHeight(): bigint {
    return this.#truth.blockHeight;
  }

  blockTime(slot: bigint): number | null {
    return this.#truth.blockTime(slot);
  }

  blockhash() {
    return this.#truth.blockhash();
  }

  isBlockhashValid(hash: string): boolean {
    return this.#truth.isBlockhashValid(hash);
  }

  account(address: Address): StoredAccount | undefined {
    const { withholds, clockSlots = 0n, clockSeconds = 0n } = this.lie;
    if (withholds?.(address)) return undefined;
    const account = this.#truth.account(address);
    if (account === undefined || address !== CLOCK_SYSVAR) return account;
    const { slot, epochStartTimestamp, epoch, leaderScheduleEpoch, unixTimestamp } = decodeClock(account);
    const data = encodeClock({
      slot: slot + clockSlots,
      epochStartTimestamp,
      epoch,
      leaderScheduleEpoch,
      unixTimestamp: unixTimestamp + clockSeconds,
    });
    return { ...account, data };
  }

  *programAccounts(program: Address): Iterable<readonly [Address, StoredAccount]> {
    for (const entry of this.#truth.programAccounts(program)) {
      if (!this.lie.withholds?.(entry[0])) yield entry;
    }
  }

  transactionsOf(address: Address): readonly ChainTransaction[] {
    return this.#truth.transactionsOf(address);
  }

  transaction(signature: string): ChainTransaction | undefined {
    return this.#truth.transaction(signature);
  }

  block(slot: bigint): ChainBlock {
    return this.#truth.block(slot);
  }

  get faucet() {
    return this.#truth.faucet;
  }

  onTransaction(listener: TransactionListener): () => void {
    return this.#truth.onTransaction(listener);
  }

  simulate(wire: Uint8Array, options: SimulationOptions): TransactionOutcome {
    return this.#truth.simulate(wire, options);
  }

  send(wire: Uint8Array): TransactionOutcome {
    return this.#truth.send(wire);
  }

  onSlot(listener: (slot: bigint, changed: readonly Address[]) => void): () => void {
    return this.#truth.onSlot((slot, changed) => listener(slot + (this.lie.notifiedSlots ?? 0n), changed));
  }
}
