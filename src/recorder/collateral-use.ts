import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { total } from '../domain/arithmetic.ts';
import {
  obligationBorrows,
  obligationDeposits,
  type ValuedObligation,
} from '../services/obligations/obligations.ts';
import type { CollateralUseSample } from '../store/history/samples.ts';

interface Share {
  readonly depositReserve: Address;
  readonly borrowReserve: Address;
  readonly collateralUsd: Rational[];
  readonly debtUsd: Rational[];
  isKnown: boolean;
}

/** One sample per pair of a reserve with collateral and a reserve with debt of the same obligation. */
export function collateralUseOf(all: readonly ValuedObligation[]): CollateralUseSample[] {
  const shares = new Map<string, Share>();
  for (const one of all) addShares(shares, one);
  return [...shares.values()].map(({ depositReserve, borrowReserve, collateralUsd, debtUsd, isKnown }) => ({
    depositReserve,
    borrowReserve,
    collateralUsd: isKnown ? total(collateralUsd) : null,
    debtUsd: isKnown ? total(debtUsd) : null,
  }));
}

function addShares(shares: Map<string, Share>, one: ValuedObligation): void {
  const [deposits, borrows] = [obligationDeposits(one), obligationBorrows(one)];
  const values = [...deposits, ...borrows].map(({ amount }) => amount?.usd ?? null);
  const known = values.filter((usd) => usd !== null);
  const [deposited, owed] = [total(known.slice(0, deposits.length)), total(known.slice(deposits.length))];
  const isKnown = known.length === values.length;
  if (isKnown && (deposited.isZero || owed.isZero)) return;
  for (const { position: deposit, amount: collateral } of deposits) {
    for (const { position: borrow, amount: debt } of borrows) {
      const share = shareOf(shares, deposit.reserve, borrow.reserve);
      if (!isKnown || !collateral?.usd || !debt?.usd) share.isKnown = false;
      else {
        const product = collateral.usd.mul(debt.usd);
        share.collateralUsd.push(product.div(owed));
        share.debtUsd.push(product.div(deposited));
      }
    }
  }
}

function shareOf(shares: Map<string, Share>, depositReserve: Address, borrowReserve: Address): Share {
  const key = `${depositReserve} ${borrowReserve}`;
  const known = shares.get(key);
  if (known !== undefined) return known;
  const share = { depositReserve, borrowReserve, collateralUsd: [], debtUsd: [], isKnown: true };
  shares.set(key, share);
  return share;
}
