import type { Reserve } from '@sluice/protocol/klend/reserve';
import { refreshObligation, refreshReserve } from '@sluice/protocol/klend/setup-instructions';
import { readText } from '@sluice/protocol/layout/codec';
import { presentAddress } from '@sluice/protocol/program-ids';
import { AccountRole, type Address } from '@solana/kit';
import { activeBorrows, activeDeposits } from '../../domain/obligation.ts';
import { type BuiltInstruction, instruction, type RemainingAccount } from '../built-instruction.ts';
import type { LendingAccounts } from './accounts.ts';
import type { LendingRequest } from './request.ts';

/** An obligation with what its refresh needs. */
export interface ObligationAccounts
  extends Pick<
    LendingAccounts,
    'obligation' | 'obligationAddress' | 'reserves' | 'referrerStates' | 'fresh'
  > {
  readonly request: Pick<LendingRequest, 'programs' | 'market'>;
}

/**
 * Refreshes required before a lending action, in the same slot: each reserve of the obligation, with the one acted on last,
 * then the obligation. Every action leaves its reserve and its obligation stale, so the obligation is always refreshed.
 */
export function lendingRefresh(accounts: LendingAccounts): BuiltInstruction[] {
  const { reserves, request, fresh } = accounts;
  const otherReserves = [...reserves].filter(([address]) => address !== request.reserve);
  return [
    ...[...otherReserves, [request.reserve, accounts.reserve] as const]
      .filter(([address]) => !fresh.has(address))
      .map(([address, account]) => refreshOfReserve(accounts.request.programs.klend, address, account)),
    refreshOfObligation(accounts),
  ];
}

/** The reserves that stay refreshed after a lending action: all of the obligation but the one that it changes. */
export function freshAfter({ reserves, request, fresh }: LendingAccounts): ReadonlySet<Address> {
  const still = new Set([...fresh, ...reserves.keys()]);
  still.delete(request.reserve);
  return still;
}

/** Refreshes of an obligation without a reserve acted on: each of its reserves, then the obligation. */
export function obligationRefresh(accounts: ObligationAccounts): BuiltInstruction[] {
  return [
    ...[...accounts.reserves]
      .filter(([address]) => !accounts.fresh.has(address))
      .map(([address, account]) => refreshOfReserve(accounts.request.programs.klend, address, account)),
    refreshOfObligation(accounts),
  ];
}

export function refreshOfReserve(klend: Address, address: Address, account: Reserve): BuiltInstruction {
  const { pythConfiguration, switchboardConfiguration, scopeConfiguration, name } = account.config.tokenInfo;
  return instruction(
    refreshReserve,
    klend,
    {
      reserve: address,
      lendingMarket: account.lendingMarket,
      pythOracle: presentAddress(pythConfiguration.price),
      switchboardPriceOracle: presentAddress(switchboardConfiguration.priceAggregator),
      switchboardTwapOracle: presentAddress(switchboardConfiguration.twapAggregator),
      scopePrices: presentAddress(scopeConfiguration.priceFeed),
    },
    {},
    { summary: `Refresh interest and price of the ${readText(name) || address} reserve` },
  );
}

/** The program checks the number of the remaining accounts. */
function refreshOfObligation(accounts: ObligationAccounts): BuiltInstruction {
  const { request, obligationAddress } = accounts;
  return instruction(
    refreshObligation,
    request.programs.klend,
    { lendingMarket: request.market, obligation: obligationAddress },
    {},
    {
      summary: 'Refresh values and limits of the obligation',
      remaining: positionAccounts(accounts, AccountRole.WRITABLE),
    },
  );
}

/** The reserves of the deposits, those of the debts, in slot order, then one referrer state per debt. */
export function positionAccounts(
  accounts: ObligationAccounts,
  referrerRole: AccountRole.READONLY | AccountRole.WRITABLE,
): RemainingAccount[] {
  const { obligation, referrerStates } = accounts;
  const borrows = obligation === null ? [] : activeBorrows(obligation);
  const states = referrerStates.filter(({ reserve }) =>
    borrows.some(({ borrowReserve }) => borrowReserve === reserve),
  );
  return [
    ...depositReserves(accounts),
    ...borrows.map(({ borrowReserve }) => writable(borrowReserve, 'borrowReserve')),
    ...states.map(({ address }) => ({ address, role: referrerRole, label: 'referrerTokenState' })),
  ];
}

/** The reserves of the deposits, in slot order. */
export function depositReserves({ obligation }: Pick<ObligationAccounts, 'obligation'>): RemainingAccount[] {
  if (obligation === null) return [];
  return activeDeposits(obligation).map(({ depositReserve }) => writable(depositReserve, 'depositReserve'));
}

/** Remaining accounts of borrow and repay: the deposit reserves while in an elevation group. */
export function groupReserves(accounts: LendingAccounts): RemainingAccount[] {
  return accounts.obligation?.elevationGroup ? depositReserves(accounts) : [];
}

function writable(address: Address, label: string): RemainingAccount {
  return { address, role: AccountRole.WRITABLE, label };
}
