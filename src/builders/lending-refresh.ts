import { AccountRole, type Address } from '@solana/kit';
import { activeBorrows, activeDeposits } from '../domain/obligation.ts';
import type { Reserve } from '../programs/klend/reserve.ts';
import { refreshObligation, refreshReserve } from '../programs/klend/setup-instructions.ts';
import { readText } from '../programs/layout/codec.ts';
import { presentAddress } from '../programs/program-ids.ts';
import { type BuiltInstruction, instruction, type RemainingAccount } from './built-instruction.ts';
import type { LendingAccounts } from './lending-accounts.ts';

/**
 * Refreshes required immediately before a lending action, in the same slot: each reserve of the obligation, with the one
 * acted on last, then the obligation.
 */
export function lendingRefresh(accounts: LendingAccounts): BuiltInstruction[] {
  const { reserves, request } = accounts;
  const others = [...reserves].filter(([address]) => address !== request.reserve);
  return [
    ...[...others, [request.reserve, accounts.reserve] as const].map(([address, account]) =>
      refreshOf(accounts, address, account),
    ),
    refreshOfObligation(accounts),
  ];
}

function refreshOf({ request }: LendingAccounts, address: Address, account: Reserve): BuiltInstruction {
  const { pythConfiguration, switchboardConfiguration, scopeConfiguration, name } = account.config.tokenInfo;
  return instruction(
    refreshReserve,
    request.programs.klend,
    {
      reserve: address,
      lendingMarket: request.market,
      pythOracle: presentAddress(pythConfiguration.price),
      switchboardPriceOracle: presentAddress(switchboardConfiguration.priceAggregator),
      switchboardTwapOracle: presentAddress(switchboardConfiguration.twapAggregator),
      scopePrices: presentAddress(scopeConfiguration.priceFeed),
    },
    {},
    { summary: `Refresh interest and price of the ${readText(name) || address} reserve` },
  );
}

/** Remaining accounts: deposits, then debts, in slot order, then one referrer state per debt. The program checks the count. */
function refreshOfObligation(accounts: LendingAccounts): BuiltInstruction {
  const { request, obligation, obligationAddress } = accounts;
  const borrows = obligation === null ? [] : activeBorrows(obligation);
  const states = accounts.referrerStates.filter(({ reserve }) =>
    borrows.some(({ borrowReserve }) => borrowReserve === reserve),
  );
  return instruction(
    refreshObligation,
    request.programs.klend,
    { lendingMarket: request.market, obligation: obligationAddress },
    {},
    {
      summary: 'Refresh values and limits of the obligation',
      remaining: [
        ...depositReserves(accounts),
        ...borrows.map(({ borrowReserve }) => writable(borrowReserve, 'borrowReserve')),
        ...states.map(({ address }) => writable(address, 'referrerTokenState')),
      ],
    },
  );
}

/** The reserves of the deposits, in slot order. */
export function depositReserves({ obligation }: LendingAccounts): RemainingAccount[] {
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
