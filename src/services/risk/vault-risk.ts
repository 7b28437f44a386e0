import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { ratio, toTokens, total, valueUsd } from '../../domain/arithmetic.ts';
import { shockedPrice } from '../../domain/risk/price-shock.ts';
import { type Exposure, type LentPart, vaultExposures } from '../../domain/risk/vault-exposure.ts';
import { actualShare, type VaultHoldings } from '../../domain/vault.ts';
import type { ObligationSnapshot } from '../obligation-index/index-update.ts';
import type { Platform } from '../platform/platform.ts';
import type { VaultRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { Valuation } from '../tokens/valuation.ts';
import { vaultDenomination } from '../vaults/vaults.ts';
import { type GivenScenario, type MarketRisk, marketRisk } from './market-risk.ts';
import { priceShocks } from './price-shocks.ts';
import type { ScenarioRisk } from './scenario-risk.ts';

/** Debt to one reserve of the vault that one reserve's token backs. */
export interface BackingShare {
  readonly reserve: Address;
  readonly debtUsd: Rational;
  /** Of the debt to the reserve, as a fraction. */
  readonly share: Rational;
}

/** A reserve that a vault lends through, with the loans behind it. */
export interface VaultReserveRisk {
  readonly reserve: Address;
  readonly market: Address;
  /** Of the vault's tokens. */
  readonly share: Rational;
  /** Of the collateral tokens of the reserve: the part of a loss of its suppliers that the vault bears. */
  readonly shareOfReserve: Rational;
  readonly utilization: Rational;
  /** Of all valued loans. */
  readonly debtUsd: Rational;
  readonly unsecuredUsd: Rational;
  /** Largest first. */
  readonly backing: readonly BackingShare[];
  readonly unvaluedLoans: number;
  readonly index: ObligationSnapshot;
}

/** The part of a vault in what happens to one of its reserves. */
export interface VaultReserveLoss {
  readonly reserve: Address;
  readonly market: Address;
  readonly liquidatableDebtUsd: Rational;
  readonly badDebtUsd: Rational;
  /** The vault's share of the bad debt. */
  readonly vaultBadDebtUsd: Rational;
}

/** A vault in one scenario. */
export interface VaultScenario {
  /** Null for the present. */
  readonly label: string | null;
  readonly reserves: readonly VaultReserveLoss[];
  readonly badDebtUsd: Rational;
  /** Of the vault's tokens at the prices of the scenario; null when the vault is empty or its token has no price. */
  readonly badDebtShare: Rational | null;
}

export interface VaultRisk {
  readonly vault: VaultRecord;
  readonly exposures: readonly Exposure[];
  readonly reserves: readonly VaultReserveRisk[];
  readonly now: VaultScenario;
  readonly shocks: readonly VaultScenario[];
}

/** A reserve in which the vault has tokens, with the loans of its market. */
interface Lending {
  readonly address: Address;
  readonly market: Address;
  readonly share: Rational;
  readonly shareOfReserve: Rational;
  readonly utilization: Rational;
  readonly borrowedUsd: Rational | null;
  readonly risk: MarketRisk;
}

/**
 * The loans behind the tokens of a vault, now and under each of the scenarios. Null when a reserve or a market of the vault
 * cannot be read.
 *
 * @throws errors of `marketRisk`
 */
export async function vaultRisk(
  platform: Platform,
  session: Session,
  vault: VaultRecord,
  given: readonly GivenScenario[],
): Promise<VaultRisk | null> {
  const { view, work } = session;
  const holdings = Valuation.of(view).holdings(vault);
  if (holdings === null) return null;
  const lendings = await lendingsOf(platform, session, holdings, given);
  if (lendings === null) return null;
  const pause = work.step(Math.max(1, lendings.length));
  if (pause !== null) await pause;
  const { mint, priceUsd } = vaultDenomination(view, vault);
  const tokens = toTokens(holdings.gross, vault.value.tokenMintDecimals);
  const scenario = (
    of: (risk: MarketRisk) => ScenarioRisk | undefined,
    price: Rational | null,
    label: string | null,
  ) => scenarioOf(lendings, of, { label, valueUsd: price === null ? null : tokens.mul(price) });
  return {
    vault,
    exposures: vaultExposures(
      vault.value.tokenMint,
      lendings.map(lentPart),
      (reserve) => view.get('reserve', reserve)?.value.liquidity.mintPubkey ?? null,
    ),
    reserves: lendings.map(reserveRisk),
    now: scenario(({ now }) => now, priceUsd, null),
    shocks: given.map(({ label, prices }, i) =>
      scenario(({ shocks }) => shocks[i], shockedPrice(priceUsd, priceShocks(view, prices).get(mint)), label),
    ),
  };
}

async function lendingsOf(
  platform: Platform,
  session: Session,
  holdings: VaultHoldings,
  given: readonly GivenScenario[],
): Promise<Lending[] | null> {
  const { view } = session;
  const found = await Promise.all(
    holdings.allocations.map(async (holding) => {
      const { allocation, reserve } = holding;
      if (allocation.ctokenAllocation === 0n) return [];
      const market = reserve && view.get('market', reserve.account.lendingMarket);
      const share = actualShare(holdings, holding);
      if (reserve === null || !market || share === null) return null;
      const { account, borrowed, utilization } = reserve;
      const priceUsd = Valuation.of(view).priced(allocation.reserve)?.priceUsd ?? null;
      return [
        {
          address: allocation.reserve,
          market: market.address,
          share,
          shareOfReserve: ratio(
            integer(allocation.ctokenAllocation),
            integer(account.collateral.mintTotalSupply),
          ),
          utilization,
          borrowedUsd: priceUsd && valueUsd(borrowed, account.liquidity.mintDecimals, priceUsd),
          risk: await marketRisk(platform, session, market, given),
        },
      ];
    }),
  );
  const known = found.filter((each) => each !== null);
  return known.length === found.length ? known.flat() : null;
}

const unvaluedOf = ({ now, index }: MarketRisk): number =>
  index.unreadable + now.unvalued.reduce((sum, { loans }) => sum + loans, 0);

const lentPart = ({ address, share, utilization, borrowedUsd, risk }: Lending): LentPart => ({
  share,
  utilization,
  backing: risk.backing.get(address),
  borrowedUsd,
  isPartial: unvaluedOf(risk) > 0,
});

function reserveRisk({ address, risk, ...lending }: Lending): VaultReserveRisk {
  const count = risk.backing.get(address);
  const debtUsd = fromScaledFraction(count?.debtSf ?? 0n);
  return {
    reserve: address,
    market: lending.market,
    share: lending.share,
    shareOfReserve: lending.shareOfReserve,
    utilization: lending.utilization,
    debtUsd,
    unsecuredUsd: fromScaledFraction(count?.unsecuredSf ?? 0n),
    backing: [...(count?.bySf ?? [])]
      .map(([reserve, debtSf]) => {
        const usd = fromScaledFraction(debtSf);
        return { reserve, debtUsd: usd, share: ratio(usd, debtUsd) };
      })
      .sort((a, b) => b.debtUsd.compare(a.debtUsd)),
    unvaluedLoans: unvaluedOf(risk),
    index: risk.index,
  };
}

function scenarioOf(
  lendings: readonly Lending[],
  of: (risk: MarketRisk) => ScenarioRisk | undefined,
  { label, valueUsd: vaultUsd }: { readonly label: string | null; readonly valueUsd: Rational | null },
): VaultScenario {
  const reserves = lendings.map(({ address, market, shareOfReserve, risk }): VaultReserveLoss => {
    const debt = of(risk)?.byDebt.find(({ reserve }) => reserve === address);
    const badDebtUsd = debt?.badDebtUsd ?? ZERO;
    return {
      reserve: address,
      market,
      liquidatableDebtUsd: debt?.debtUsd ?? ZERO,
      badDebtUsd,
      vaultBadDebtUsd: badDebtUsd.mul(shareOfReserve),
    };
  });
  const badDebtUsd = total(reserves.map(({ vaultBadDebtUsd }) => vaultBadDebtUsd));
  return {
    label,
    reserves,
    badDebtUsd,
    badDebtShare: vaultUsd === null || vaultUsd.isZero ? null : badDebtUsd.div(vaultUsd),
  };
}
