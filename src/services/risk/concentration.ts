import type { Address } from '@solana/kit';
import type { RefreshedObligation } from '../../domain/refreshed-obligation.ts';
import { Largest } from '../../domain/risk/largest.ts';
import type { LoanOutcome } from '../../domain/risk/loan-outcome.ts';
import type { ObligationTable } from '../obligation-index/obligation-table.ts';

/** Most borrowers that a market names. */
export const BORROWERS_NAMED = 100;

/** All loans of one owner. Values are USD in units of 2^-60. */
export interface BorrowerTotal {
  readonly owner: Address;
  readonly loans: number;
  readonly debtSf: bigint;
}

/** Everything that borrowers deposited in one reserve. */
export interface CollateralTotal {
  readonly loans: number;
  readonly valueSf: bigint;
}

interface OwnerCount {
  /** The number of a loan of the owner. */
  readonly example: number;
  loans: number;
  debtSf: bigint;
}

/** Debt of a market by borrower, and collateral by token. */
export class Concentration {
  readonly #table: ObligationTable;
  readonly #owners = new Map<string, OwnerCount>();
  readonly #collateral = new Map<Address, { loans: number; valueSf: bigint }>();

  constructor(table: ObligationTable) {
    this.#table = table;
  }

  add(number: number, outcome: LoanOutcome, refreshed: RefreshedObligation): void {
    const key = this.#table.ownerKey(number);
    const owner = this.#owners.get(key) ?? { example: number, loans: 0, debtSf: 0n };
    owner.loans += 1;
    owner.debtSf += outcome.borrowedSf;
    this.#owners.set(key, owner);
    for (const { reserve, valueSf } of refreshed.deposits) {
      const total = this.#collateral.get(reserve) ?? { loans: 0, valueSf: 0n };
      total.loans += 1;
      total.valueSf += valueSf;
      this.#collateral.set(reserve, total);
    }
  }

  get owners(): number {
    return this.#owners.size;
  }

  /** Largest debt first. */
  borrowers(): BorrowerTotal[] {
    const largest = new Largest<OwnerCount>(BORROWERS_NAMED, ({ debtSf }) => debtSf);
    for (const owner of this.#owners.values()) largest.add(owner);
    return largest
      .sorted()
      .map(({ example, loans, debtSf }) => ({ owner: this.#table.owner(example), loans, debtSf }));
  }

  /** By reserve. */
  collateral(): ReadonlyMap<Address, CollateralTotal> {
    return this.#collateral;
  }
}
