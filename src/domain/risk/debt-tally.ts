import type { Address } from '@solana/kit';
import type { RefreshedObligation } from '../refreshed-obligation.ts';

/** Values are USD in units of 2^-60. */
export interface DebtBackingCount {
  /** Debts to the reserve, of all valued loans. */
  debtSf: bigint;
  /** Debts of loans that have no collateral. */
  unsecuredSf: bigint;
  /** The rest by the reserve of the collateral. The debt of a loan is divided among its deposits by their values. */
  readonly bySf: Map<Address, bigint>;
}

/** Debts of a market by the reserve that lent them, each by the collateral behind it. */
export class DebtBacking {
  readonly #byReserve = new Map<Address, DebtBackingCount>();

  add({ deposits, debts, depositedSf }: RefreshedObligation): void {
    for (const { reserve, valueSf: debtSf } of debts) {
      const count = this.#count(reserve);
      count.debtSf += debtSf;
      if (depositedSf === 0n) {
        count.unsecuredSf += debtSf;
        continue;
      }
      let left = debtSf;
      for (const [i, deposit] of deposits.entries()) {
        // The last deposit gets what rounding leaves, so that nothing is lost.
        const part = i === deposits.length - 1 ? left : (debtSf * deposit.valueSf) / depositedSf;
        left -= part;
        if (part > 0n) count.bySf.set(deposit.reserve, (count.bySf.get(deposit.reserve) ?? 0n) + part);
      }
    }
  }

  byReserve(): ReadonlyMap<Address, DebtBackingCount> {
    return this.#byReserve;
  }

  #count(reserve: Address): DebtBackingCount {
    const known = this.#byReserve.get(reserve);
    if (known !== undefined) return known;
    const count = { debtSf: 0n, unsecuredSf: 0n, bySf: new Map<Address, bigint>() };
    this.#byReserve.set(reserve, count);
    return count;
  }
}

/** Debts to one reserve that are at risk. */
export interface DebtAtRiskCount {
  /** Loans that can be liquidated and owe to the reserve. */
  loans: number;
  /** Their debts to it. */
  debtSf: bigint;
  /** Debt beyond the collateral of its loan, divided among the debts of the loan by their values. */
  badDebtSf: bigint;
}

/** Debts at risk by the reserve that lent them. */
export class DebtAtRisk {
  readonly #byReserve = new Map<Address, DebtAtRiskCount>();

  add({ debts, borrowedSf }: RefreshedObligation, isLiquidatable: boolean, badDebtSf: bigint): void {
    let left = badDebtSf;
    for (const [i, { reserve, valueSf }] of debts.entries()) {
      const isLast = i === debts.length - 1;
      const part = isLast || borrowedSf === 0n ? left : (badDebtSf * valueSf) / borrowedSf;
      left -= part;
      const count = this.#count(reserve);
      count.badDebtSf += part;
      if (!isLiquidatable) continue;
      count.loans += 1;
      count.debtSf += valueSf;
    }
  }

  byReserve(): ReadonlyMap<Address, DebtAtRiskCount> {
    return this.#byReserve;
  }

  #count(reserve: Address): DebtAtRiskCount {
    const known = this.#byReserve.get(reserve);
    if (known !== undefined) return known;
    const count = { loans: 0, debtSf: 0n, badDebtSf: 0n };
    this.#byReserve.set(reserve, count);
    return count;
  }
}
