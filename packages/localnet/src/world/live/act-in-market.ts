import type { Obligation as ObligationState } from '@sluice/protocol/klend/obligation';
import { floorScaled } from '@sluice/protocol/numeric/fraction';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { isOpen } from '../borrowers.ts';
import type { Obligation, Reserve, Wallet } from '../model.ts';
import type { Random } from '../prng.ts';
import { referrerStateAddress } from '../referrers.ts';
import type { LendAction, LendOperation } from '../world-actions.ts';
import type { LiveWorld } from './live-world.ts';

/** An obligation's reserves in slot order. */
export interface LiveObligation {
  readonly state: ObligationState;
  readonly deposits: readonly Reserve[];
  readonly borrows: readonly Reserve[];
}

/** A wallet lends, withdraws, borrows or repays a little. False when nothing came of it. */
export function actInMarket(live: LiveWorld, random: Random, wallet: Wallet): boolean {
  if (wallet.obligations.length === 0) return false;
  const obligation = random.pick(wallet.obligations);
  const found = liveObligation(live, obligation);
  if (found === null || found.deposits.length === 0 || isTight(found.state)) return false;
  const reserve = random.pick(found.deposits);
  const debt = found.borrows.length === 0 ? null : random.pick(found.borrows);
  if (!isOpen(reserve) || (debt !== null && !isOpen(debt))) return false;
  const act = (operation: LendOperation, of: Reserve, amount: bigint) =>
    amount > 0n &&
    live.act(wallet, lendAction(live, obligation, found, { operation, reserve: of, argument: amount }));
  switch (random.weighted([30, 20, 25, 25])) {
    case 0:
      return act('deposit', reserve, random.share(live.spendable(wallet, reserve.token.mint), 10, 200));
    case 1:
      return act('withdraw', reserve, random.share(deposited(found.state, reserve), 10, 60));
    case 2: {
      const { allowedBorrowValueSf, borrowFactorAdjustedDebtValueSf } = found.state;
      if (debt === null || allowedBorrowValueSf * 100n < borrowFactorAdjustedDebtValueSf * 125n) return false;
      return act('borrow', debt, random.share(owed(found.state, debt), 10, 60));
    }
    default: {
      if (debt === null) return false;
      const amount = random.share(owed(found.state, debt), 10, 120);
      return amount <= live.spendable(wallet, debt.token.mint) && act('repay', debt, amount);
    }
  }
}

/** Null when it is closed or names a reserve that the world does not know. */
export function liveObligation(live: LiveWorld, obligation: Obligation): LiveObligation | null {
  const state = live.obligation(obligation);
  if (state === null) return null;
  const reservesAt = (addresses: readonly Address[]) =>
    addresses.filter((address) => address !== NO_ADDRESS).map((address) => live.reserveAt(address));
  const deposits = reservesAt(state.deposits.map(({ depositReserve }) => depositReserve));
  const borrows = reservesAt(state.borrows.map(({ borrowReserve }) => borrowReserve));
  if (![...deposits, ...borrows].every((reserve) => reserve !== undefined)) return null;
  return { state, deposits: deposits as Reserve[], borrows: borrows as Reserve[] };
}

/** Positions close to liquidation are left alone. */
function isTight({ unhealthyBorrowValueSf, borrowFactorAdjustedDebtValueSf }: ObligationState): boolean {
  return unhealthyBorrowValueSf * 100n < borrowFactorAdjustedDebtValueSf * 130n;
}

const deposited = ({ deposits }: ObligationState, { address }: Reserve) =>
  deposits.find(({ depositReserve }) => depositReserve === address)?.depositedAmount ?? 0n;

const owed = ({ borrows }: ObligationState, { address }: Reserve) =>
  floorScaled(borrows.find(({ borrowReserve }) => borrowReserve === address)?.borrowedAmountSf ?? 0n);

function lendAction(
  live: LiveWorld,
  obligation: Obligation,
  { state, deposits, borrows }: LiveObligation,
  { operation, reserve, argument }: Pick<LendAction, 'operation' | 'reserve' | 'argument'>,
): LendAction {
  const { referrer } = obligation.owner;
  const needsReferrerState =
    operation === 'borrow' &&
    referrer !== null &&
    !live.exists(referrerStateAddress(referrer, reserve).address);
  return {
    kind: 'lend',
    operation,
    obligation,
    reserve,
    argument,
    liquidity: argument,
    ctokens: 0n,
    fee: 0n,
    deposits,
    borrows,
    group: state.elevationGroup,
    closes: false,
    setup: { metadata: false, obligation: false, farm: false, referrer: needsReferrerState, group: 0 },
  };
}
