import type { Obligation, Reserve, Vault } from '@sluice/localnet/world/model';

/**
 * Figures of the generated world about itself, by the rules of the programs and in floating point: another way
 * than the product takes, good for about fourteen digits.
 */
const ONE = 2 ** 60;

const scale = (decimals: number) => 10 ** decimals;
const fraction = (sf: bigint) => Number(sf) / ONE;

/** Whole tokens that belong to suppliers. */
export function suppliedOf(reserve: Reserve): number {
  const { protocolFeesSf, referrerFeesSf, pendingReferrerFeesSf, borrowedSf } = reserve;
  const fees = protocolFeesSf + referrerFeesSf + pendingReferrerFeesSf;
  const units = Number(reserve.liquidityVault.amount) + fraction(borrowedSf - fees);
  return units / scale(reserve.token.mint.decimals);
}

export const borrowedOf = (reserve: Reserve): number =>
  fraction(reserve.borrowedSf) / scale(reserve.token.mint.decimals);

export const priceOf = (reserve: Reserve): number => fraction(reserve.priceSf);

/** Whole tokens that cTokens stand for. */
const redeemed = (reserve: Reserve, ctokens: bigint): number =>
  (Number(ctokens) / Number(reserve.collateralMint.supply)) * suppliedOf(reserve);

/** Whole tokens that belong to the holders of a vault's shares, fees taken off that have been charged. */
export function vaultValueOf(vault: Vault): number {
  const tokens = scale(vault.token.mint.decimals);
  const invested = vault.allocations
    .filter(({ holding }) => holding.amount > 0n)
    .map(({ reserve, holding }) => redeemed(reserve, holding.amount))
    .reduce((a, b) => a + b, 0);
  return Number(vault.available) / tokens + invested - fraction(vault.pendingFeesSf) / tokens;
}

export const sharesOf = ({ sharesMint }: Vault): number =>
  Number(sharesMint.supply) / scale(sharesMint.decimals);

const present = <T>(slots: readonly (T | null)[]): T[] => slots.flatMap((each) => each ?? []);

export const isOpen = ({ exists, deposits, borrows }: Obligation): boolean =>
  exists && present(deposits).length + present(borrows).length > 0;

/** Positions of one collateral against one debt, for Multiply and Leverage, added up. */
export interface PairSums {
  obligations: number;
  deposited: number;
  borrowed: number;
  depositedUsd: number;
  borrowedUsd: number;
}

/** By `tag deposit reserve borrow reserve`. */
export function pairSums(obligations: readonly Obligation[]): Map<string, PairSums> {
  const pairs = new Map<string, PairSums>();
  for (const { key, deposits, borrows, exists } of obligations) {
    const [deposit, ...otherDeposits] = present(deposits);
    const [debt, ...otherDebts] = present(borrows);
    if (!exists || ![1, 3].includes(key.tag) || deposit === undefined || debt === undefined) continue;
    if (otherDeposits.length + otherDebts.length > 0) continue;
    const name = `${key.tag} ${deposit.reserve.address} ${debt.reserve.address}`;
    const sums = pairs.get(name) ?? {
      obligations: 0,
      deposited: 0,
      borrowed: 0,
      depositedUsd: 0,
      borrowedUsd: 0,
    };
    const deposited = redeemed(deposit.reserve, deposit.ctokens);
    const grown = Number(debt.reserve.cumulativeRateSf) / Number(debt.cumulativeRateSf);
    const borrowed = (fraction(debt.amountSf) * grown) / scale(debt.reserve.token.mint.decimals);
    sums.obligations += 1;
    sums.deposited += deposited;
    sums.borrowed += borrowed;
    sums.depositedUsd += deposited * priceOf(deposit.reserve);
    sums.borrowedUsd += borrowed * priceOf(debt.reserve);
    pairs.set(name, sums);
  }
  return pairs;
}
