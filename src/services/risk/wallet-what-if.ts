import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { totalIfKnown, valueUsd } from '../../domain/arithmetic.ts';
import { collateralToLiquidity } from '../../domain/reserve.ts';
import { growthIn, growthSteps } from '../../domain/risk/interest-ahead.ts';
import { valueObligation } from '../obligations/obligations.ts';
import { scannedObligations } from '../obligations/wallet-obligations.ts';
import type { UnreadableAccounts } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import {
  holdsCollateral,
  type TicketRecord,
  ticketAmount,
  withdrawTickets,
} from '../reserves/withdraw-tickets.ts';
import { amountAt, type TokenAmount } from '../tokens/amounts.ts';
import { shareGrowthApy } from '../vaults/yields.ts';
import { type VaultPosition, vaultPositions } from '../wallets/wallets.ts';
import { type ObligationWhatIf, obligationsWhatIf, reservesOf } from './obligation-what-if.ts';
import type { Scenario } from './scenario.ts';
import { type SupposedReserves, supposedReserves } from './supposed-reserves.ts';

/** Shares of a vault under a scenario. */
export interface VaultPositionWhatIf {
  readonly position: VaultPosition;
  /** Null when unknown. */
  readonly value: TokenAmount | null;
}

/** Totals of a wallet in USD; null when a part is unknown. */
export interface WalletTotals {
  readonly depositedUsd: Rational | null;
  readonly borrowedUsd: Rational | null;
  readonly vaultsUsd: Rational | null;
  /** Queued withdrawals. */
  readonly queuedUsd: Rational | null;
  /** Deposits, vault shares and queued withdrawals less debts. */
  readonly netValueUsd: Rational | null;
}

export interface WalletWhatIf {
  readonly obligations: readonly ObligationWhatIf[];
  readonly vaultPositions: readonly VaultPositionWhatIf[];
  readonly before: WalletTotals;
  readonly after: WalletTotals;
  /** Null when a part is unknown. */
  readonly badDebtUsd: Rational | null;
  readonly unreadable: UnreadableAccounts;
}

/** All obligations, vault shares and queued withdrawals of a wallet under a scenario. */
export async function walletWhatIf(
  session: Session,
  wallet: Address,
  scenario: Scenario,
): Promise<WalletWhatIf> {
  const [{ records, unreadable }, positions, queued] = await Promise.all([
    scannedObligations(session, wallet, null),
    vaultPositions(session, wallet),
    withdrawTickets(session, wallet),
  ]);
  const tickets = queued.tickets.filter(holdsCollateral);
  const { view, work } = session;
  const used = [...records.flatMap(reservesOf), ...tickets.map(({ value }) => value.reserve)];
  const reserves = await work.run(supposedReserves(view, scenario, used));
  const obligations = await obligationsWhatIf(session, records, reserves);
  const shares = await work.run(supposedShares(session, positions, scenario, reserves));
  const now = await work.map(records, 1, (record) => valueObligation(session, record).stats);
  return {
    obligations,
    vaultPositions: shares,
    before: totals(
      now.map((stats) => stats?.userTotalDeposit ?? null),
      now.map((stats) => stats?.userTotalBorrow ?? null),
      positions.map(({ value }) => value?.usd ?? null),
      tickets.map((ticket) => ticketAmount(view, ticket)?.usd ?? null),
    ),
    after: totals(
      obligations.map(({ depositedUsd }) => depositedUsd),
      obligations.map(({ borrowedUsd }) => borrowedUsd),
      shares.map(({ value }) => value?.usd ?? null),
      tickets.map((ticket) => supposedTicketUsd(ticket, reserves)),
    ),
    badDebtUsd: totalIfKnown(obligations.map(({ badDebtUsd }) => badDebtUsd)),
    unreadable,
  };
}

function totals(
  deposits: readonly (Rational | null)[],
  borrows: readonly (Rational | null)[],
  vaults: readonly (Rational | null)[],
  queued: readonly (Rational | null)[],
): WalletTotals {
  const [depositedUsd, borrowedUsd, vaultsUsd, queuedUsd] = [
    totalIfKnown(deposits),
    totalIfKnown(borrows),
    totalIfKnown(vaults),
    totalIfKnown(queued),
  ];
  const assets = totalIfKnown([depositedUsd, vaultsUsd, queuedUsd]);
  const netValueUsd = assets === null || borrowedUsd === null ? null : assets.sub(borrowedUsd);
  return { depositedUsd, borrowedUsd, vaultsUsd, queuedUsd, netValueUsd };
}

/** Collateral tokens in a queue earn interest until they are paid. */
function supposedTicketUsd({ value }: TicketRecord, { priced }: SupposedReserves): Rational | null {
  const reserve = priced(value.reserve);
  if (reserve === undefined || reserve.priceUsd === null) return null;
  const { accrued, priceUsd } = reserve;
  const amount = collateralToLiquidity(accrued, value.queuedCollateralAmount);
  return valueUsd(amount, accrued.account.liquidity.mintDecimals, priceUsd);
}

function* supposedShares(
  { view }: Session,
  positions: readonly VaultPosition[],
  { days }: Scenario,
  reserves: SupposedReserves,
): Generator<number, VaultPositionWhatIf[]> {
  const shares: VaultPositionWhatIf[] = [];
  for (const position of positions) {
    const apy = days === 0 ? ZERO : shareGrowthApy(view, position.vault);
    yield 1 + (apy === null ? 0 : growthSteps(days, apy));
    shares.push({ position, value: supposedValue(position, days, apy, reserves) });
  }
  return shares;
}

/** Shares earn the vault's interest and its reserves' own rewards; other rewards are other tokens. */
function supposedValue(
  { value }: VaultPosition,
  days: number,
  apy: Rational | null,
  { tokenPrice, solPriceUsd }: SupposedReserves,
): TokenAmount | null {
  if (value === null || apy === null) return null;
  const { mint, decimals, baseUnits } = value;
  const later = baseUnits.mul(growthIn(days, apy));
  return amountAt({ mint, decimals, priceUsd: tokenPrice(mint) }, later, solPriceUsd, 'down');
}
