import { viewOf } from '@sluice/protocol/layout/account';
import { readAddress } from '@sluice/protocol/layout/base58';
import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getBase58Decoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import {
  type ChainBlock,
  ChainStoppedError,
  type ChainTransaction,
  type SimulationOptions,
  type StoredAccount,
  type StreamableChain,
} from '../../../src/chain.ts';
import type { TransactionOutcome } from '../../../src/runtime/outcome.ts';
import { runOnChain } from './run-on-world.ts';

/** The newest of the chain's blockhashes, and its only valid one. */
export const BLOCKHASH = blockhash(testAddress(250));
const FIRST_SLOT = 1_000n;
const FIRST_TIME = 1_700_000_000;

/** A valid address that is the same on every run. */
export function testAddress(seed: number): Address {
  const bytes = new Uint8Array(32).fill(seed % 256);
  bytes[0] = 1;
  bytes[1] = seed >> 8;
  return readAddress(viewOf(bytes), 0);
}

/** A valid signature that is the same on every run. */
export function testSignature(seed: number): string {
  return getBase58Decoder().decode(new Uint8Array(64).fill(seed));
}

export function account(
  data: Uint8Array,
  owner: Address = SYSTEM_PROGRAM,
  lamports = 1_000_000n,
): StoredAccount {
  return { owner, lamports, data, executable: false };
}

/** A passive chain: tests add accounts and transactions and advance its slot. */
export class FakeChain implements StreamableChain {
  slot = 5_000n;
  blockHeight = 4_900n;
  readonly faucet = null;
  /** Number of full scans of a program's accounts. */
  scans = 0;
  readonly accounts = new Map<Address, StoredAccount>();
  readonly transactions: ChainTransaction[] = [];
  readonly #listeners = new Set<(slot: bigint, changed: readonly Address[]) => void>();
  readonly #endListeners = new Set<(slot: bigint) => void>();

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Two slots a second, from slot 1000 on. */
  blockTime(slot: bigint): number | null {
    return slot < FIRST_SLOT || slot > this.slot ? null : FIRST_TIME + Number(slot - FIRST_SLOT) / 2;
  }

  blockhash(): { blockhash: string; lastValidBlockHeight: bigint } {
    return { blockhash: BLOCKHASH, lastValidBlockHeight: this.blockHeight + 150n };
  }

  isBlockhashValid(hash: string): boolean {
    return hash === BLOCKHASH;
  }

  account(address: Address): StoredAccount | undefined {
    return this.accounts.get(address);
  }

  *programAccounts(program: Address): Iterable<readonly [Address, StoredAccount]> {
    this.scans += 1;
    for (const entry of this.accounts) if (entry[1].owner === program) yield entry;
  }

  transactionsOf(address: Address): readonly ChainTransaction[] {
    return this.transactions.filter(({ addresses }) => addresses.includes(address)).reverse();
  }

  transaction(signature: string): ChainTransaction | undefined {
    return this.transactions.find((transaction) => transaction.signature === signature);
  }

  block(slot: bigint): ChainBlock {
    const transactions = this.transactions.filter((each) => each.slot === slot);
    return { blockhash: BLOCKHASH, previousBlockhash: BLOCKHASH, blockHeight: slot - 100n, transactions };
  }

  onSlot(listener: (slot: bigint, changed: readonly Address[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onSlotEnd(listener: (slot: bigint) => void): () => void {
    this.#endListeners.add(listener);
    return () => this.#endListeners.delete(listener);
  }

  onTransaction(): () => void {
    return () => undefined;
  }

  simulate(wire: Uint8Array, options: SimulationOptions): TransactionOutcome {
    return runOnChain(this, wire, options);
  }

  send(): TransactionOutcome {
    throw new ChainStoppedError('A passive chain takes no transactions');
  }

  /** Advances one slot, in which these accounts change; `null` closes one. */
  tick(changes: ReadonlyMap<Address, StoredAccount | null> = new Map()): void {
    this.slot += 1n;
    this.blockHeight += 1n;
    for (const [address, value] of changes) {
      if (value === null) this.accounts.delete(address);
      else this.accounts.set(address, value);
    }
    for (const listener of this.#listeners) listener(this.slot, [...changes.keys()]);
    for (const listener of this.#endListeners) listener(this.slot);
  }
}

interface WireOptions {
  readonly feePayer: Address;
  readonly instructions: readonly Instruction[];
  /** Addresses to load from one table, by table. */
  readonly tables?: Readonly<Record<Address, Address[]>>;
  readonly hash?: Blockhash;
}

/** The wire form of an unsigned v0 transaction. */
export function wireTransaction({
  feePayer,
  instructions,
  tables = {},
  hash = BLOCKHASH,
}: WireOptions): Uint8Array {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(feePayer, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash({ blockhash: hash, lastValidBlockHeight: 10_000n }, m),
    (m) => appendTransactionMessageInstructions(instructions, m),
    (m) => compressTransactionMessageUsingAddressLookupTables(m, tables),
  );
  return new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)));
}

/** The wire form of an unsigned legacy transaction. */
export function legacyTransaction({ feePayer, instructions, hash = BLOCKHASH }: WireOptions): Uint8Array {
  const message = pipe(
    createTransactionMessage({ version: 'legacy' }),
    (m) => setTransactionMessageFeePayer(feePayer, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash({ blockhash: hash, lastValidBlockHeight: 10_000n }, m),
    (m) => appendTransactionMessageInstructions(instructions, m),
  );
  return new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)));
}

export function instruction(
  programAddress: Address,
  data: number[],
  accounts: readonly Address[],
): Instruction {
  return {
    programAddress,
    data: Uint8Array.from(data),
    accounts: accounts.map((address) => ({ address, role: AccountRole.WRITABLE })),
  };
}

/** A past transaction with only the given fields. */
export function pastTransaction(
  given: Partial<ChainTransaction> & Pick<ChainTransaction, 'signature' | 'addresses' | 'wire'>,
): ChainTransaction {
  return {
    slot: 4_000n,
    blockTime: FIRST_TIME + 1_500,
    loadedWritable: [],
    loadedReadonly: [],
    feeLamports: 5_000n,
    computeUnits: 150,
    preBalances: [],
    postBalances: [],
    preTokenBalances: [],
    postTokenBalances: [],
    inner: [],
    logs: [],
    error: null,
    ...given,
  };
}
