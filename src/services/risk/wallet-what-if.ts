import type { Address } from '@solana/kit';
import { totalIfKnown } from '../../domain/arithmetic.ts';
import { growthIn } from '../../domain/risk/interest-ahead.ts';
import type { Rational } from '../../numeric/rational.ts';
import { amountAt, type TokenAmount } from '../amounts.ts';
import { valueObligation } from '../obligations.ts';
import type { Session, UnreadableAccounts } from '../records.ts';
import { currentYield } from '../vault-yields.ts';
import { scannedObligations, type VaultPosition, vaultPositions } from '../wallets.ts';
import { type ObligationWhatIf, obligationWhatIf } from './obligation-what-if.ts';
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
  /** Deposits and vault shares less debts. */
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

/** All obligations and vault shares of a wallet under a scenario. */
export async function walletWhatIf(
  session: Session,
  wallet: Address,
  scenario: Scenario,
): Promise<WalletWhatIf> {
  const [{ records, unreadable }, positions] = await Promise.all([
    scannedObligations(session, wallet, null),
    vaultPositions(session, wallet),
  ]);
  const reserves = supposedReserves(session.view, scenario);
  const obligations = records.map((record) => obligationWhatIf(session, record, reserves));
  const shares = positions.map((position) => ({
    position,
    value: supposedShares(session, position, scenario, reserves),
  }));
  const now = records.map((record) => valueObligation(session, record).stats);
  return {
    obligations,
    vaultPositions: shares,
    before: totals(
      now.map((stats) => stats?.userTotalDeposit ?? null),
      now.map((stats) => stats?.userTotalBorrow ?? null),
      positions.map(({ value }) => value?.usd ?? null),
    ),
    after: totals(
      obligations.map(({ depositedUsd }) => depositedUsd),
      obligations.map(({ borrowedUsd }) => borrowedUsd),
      shares.map(({ value }) => value?.usd ?? null),
    ),
    badDebtUsd: totalIfKnown(obligations.map(({ badDebtUsd }) => badDebtUsd)),
    unreadable,
  };
}

function totals(
  deposits: readonly (Rational | null)[],
  borrows: readonly (Rational | null)[],
  vaults: readonly (Rational | null)[],
): WalletTotals {
  const [depositedUsd, borrowedUsd, vaultsUsd] = [
    totalIfKnown(deposits),
    totalIfKnown(borrows),
    totalIfKnown(vaults),
  ];
  const netValueUsd =
    depositedUsd === null || borrowedUsd === null || vaultsUsd === null
      ? null
      : depositedUsd.add(vaultsUsd).sub(borrowedUsd);
  return { depositedUsd, borrowedUsd, vaultsUsd, netValueUsd };
}

/** Shares earn the vault's interest; rewards are other tokens. */
function supposedShares(
  { view }: Session,
  { vault, value }: VaultPosition,
  { days }: Scenario,
  { tokenPrice, solPriceUsd }: SupposedReserves,
): TokenAmount | null {
  const apy = days === 0 ? null : currentYield(view, vault)?.base;
  if (value === null || apy === undefined) return null;
  const { mint, decimals, baseUnits } = value;
  const later = apy === null ? baseUnits : baseUnits.mul(growthIn(days, apy));
  return amountAt({ mint, decimals, priceUsd: tokenPrice(mint) }, later, solPriceUsd, 'down');
}
