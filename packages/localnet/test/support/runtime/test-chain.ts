import { CLOCK_SYSVAR, RECENT_BLOCKHASHES_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { StoredAccount } from '../../../src/chain.ts';
import type { AccountReader } from '../../../src/runtime/account-overlay.ts';
import { AccountStore } from '../../../src/runtime/account-store.ts';
import type { ProcessedTransaction, TransactionOutcome } from '../../../src/runtime/outcome.ts';
import type { Clock, Program } from '../../../src/runtime/program.ts';
import { PROGRAMS } from '../../../src/runtime/programs.ts';
import {
  processTransaction,
  type TransactionChain,
  type TransactionOptions,
} from '../../../src/runtime/transaction/process-transaction.ts';
import { blockhashes } from '../../../src/world/blockhash.ts';
import { addRuntimeAccounts } from '../../../src/world/runtime-accounts.ts';

const SEED = 'test chain';
const BLOCKHASH_AGE = 150n;
const blockhashOf = blockhashes(SEED);

/** A chain with programs, sysvars and nothing else, whose slots advance on request. */
export class TestChain implements TransactionChain {
  readonly programs: ReadonlyMap<Address, Program>;
  readonly #store = new AccountStore();
  readonly #accounts = new Map<Address, StoredAccount>();
  readonly #signatures = new Set<string>();
  #slot = 300_000_000n;

  constructor(programs: ReadonlyMap<Address, Program> = PROGRAMS) {
    this.programs = programs;
    addRuntimeAccounts(this.#store, SEED, { slot: () => this.#slot, blockhashOf });
  }

  readonly accounts: AccountReader = {
    get: (address) => this.#accounts.get(address) ?? this.#store.get(address),
  };

  get clock(): Clock {
    return { slot: this.#slot, unixTimestamp: 1_700_000_000n };
  }

  get blockhash(): string {
    return blockhashOf(this.#slot);
  }

  isRecentBlockhash(blockhash: string): boolean {
    for (let age = 0n; age <= BLOCKHASH_AGE; age += 1n) {
      if (blockhashOf(this.#slot - age) === blockhash) return true;
    }
    return false;
  }

  hasSignature(signature: string): boolean {
    return this.#signatures.has(signature);
  }

  advance(slots = 1n): void {
    this.#slot += slots;
    for (const sysvar of [CLOCK_SYSVAR, RECENT_BLOCKHASHES_SYSVAR]) this.#store.touch(sysvar);
  }

  set(address: Address, account: Partial<StoredAccount>): void {
    this.#accounts.set(address, {
      owner: SYSTEM_PROGRAM,
      lamports: 0n,
      data: new Uint8Array(0),
      executable: false,
      ...account,
    });
  }

  lamportsOf(address: Address): bigint {
    return this.accounts.get(address)?.lamports ?? 0n;
  }

  /** All lamports outside programs and sysvars. */
  get totalLamports(): bigint {
    return [...this.#accounts.values()].reduce((sum, { lamports }) => sum + lamports, 0n);
  }

  /** A copy of the accounts that were ever set or changed. */
  snapshot(): Map<Address, StoredAccount> {
    return new Map(this.#accounts);
  }

  simulate(wire: Uint8Array, options: TransactionOptions = { verifySignatures: true }): TransactionOutcome {
    return processTransaction(wire, this, options);
  }

  /** Runs the transaction and commits what it changed. */
  send(wire: Uint8Array): TransactionOutcome {
    const outcome = this.simulate(wire);
    if (outcome.kind === 'processed') {
      this.#signatures.add(outcome.record.signature);
      for (const [address, account] of outcome.changes) {
        if (account.lamports === 0n) this.#accounts.delete(address);
        else this.#accounts.set(address, account);
      }
    }
    return outcome;
  }

  /** Fails the test unless the transaction succeeds. */
  mustSend(wire: Uint8Array): ProcessedTransaction {
    const outcome = this.send(wire);
    if (outcome.kind !== 'processed' || outcome.failure !== null) {
      throw new Error(`The transaction failed: ${JSON.stringify(outcome.failure)}`);
    }
    return outcome;
  }
}
