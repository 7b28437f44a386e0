import type { Rational } from '@sluice/protocol/numeric/rational';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { AmountInput } from '../amount.ts';
import { chosenAddress, type ObligationChoice } from '../lending/obligation-choice.ts';
import { existingObligation, marketAt, obligationReserves } from '../lending/request.ts';
import { distinct, type ReadAccounts } from '../read-accounts.ts';

/** Conditions that an order can be set with, by the program's number. */
export const WATCHED_CONDITIONS = {
  LTV_ABOVE: 1,
  LTV_BELOW: 2,
  PRICE_RATIO_ABOVE: 3,
  PRICE_RATIO_BELOW: 4,
  LIQUIDATION_LTV_CLOSER_THAN: 6,
} as const;

export type WatchedCondition = keyof typeof WATCHED_CONDITIONS;

/** Orders of an obligation. */
export const ORDER_SLOTS = 2;

/** What an order is to watch and to do. */
export interface WantedOrder {
  readonly condition: WatchedCondition;
  /** A loan-to-value or a distance as a fraction, or a ratio of prices (debt / collateral). */
  readonly threshold: Rational;
  /** Debt to repay at most, or all debts. */
  readonly amount: AmountInput;
  readonly minBonusBps: number;
  readonly maxBonusBps: number;
}

/** A change of an order, before any account is read. */
export interface OrderRequest {
  readonly programs: ProgramIds;
  /** Owner of the obligation, and a signer. */
  readonly wallet: Address;
  readonly market: Address;
  readonly obligation: ObligationChoice;
  readonly lookupTables: readonly Address[];
  /** Oracles of the market's reserves, as far as they are known before the reads. */
  readonly oracles: readonly Address[];
}

/** @throws BUILD_REFUSED for an index that no order has */
export function checkIndex(index: number): void {
  if (Number.isInteger(index) && index >= 0 && index < ORDER_SLOTS) return;
  throw new SluiceError('BUILD_REFUSED', {
    reason: 'an obligation has two orders, with the indexes 0 and 1',
  });
}

/** The largest bonus that the program accepts: 10 %. */
const MAX_BONUS_BPS = 1_000;

/** @throws BUILD_REFUSED for a range of bonuses that the program does not accept */
export function checkBonus({ minBonusBps: min, maxBonusBps: max }: WantedOrder): void {
  const isWhole = [min, max].every((bps) => Number.isInteger(bps) && bps >= 0);
  if (isWhole && min <= max && max <= MAX_BONUS_BPS) return;
  const reason = `the bonus must be whole basis points from 0 to ${MAX_BONUS_BPS}, and its minimum must not be above its maximum`;
  throw new SluiceError('BUILD_REFUSED', { reason });
}

/** Accounts to read in the first round. */
export function firstOrderReads(request: OrderRequest): Address[] {
  const { programs, wallet, market, obligation, lookupTables, oracles } = request;
  const address = chosenAddress(programs, wallet, market, obligation);
  return distinct([market, address, wallet, ...lookupTables, ...oracles]);
}

/** Accounts to read in the second round: the reserves of the obligation. */
export function secondOrderReads(request: OrderRequest, read: ReadAccounts): Address[] {
  marketAt(read, request.market, request.programs.klend);
  const { obligation } = existingObligation(request, read);
  return obligationReserves(obligation);
}
