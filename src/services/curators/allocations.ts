import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { ratio, total, wholeShares } from '../../domain/arithmetic.ts';
import type { ExposureKind } from '../../domain/risk/vault-exposure.ts';
import type { Platform } from '../platform/platform.ts';
import { perView } from '../request/per-view.ts';
import type { VaultRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { vaultRisk } from '../risk/vault-risk.ts';
import { Valuation } from '../tokens/valuation.ts';
import { vaultAmount } from '../vaults/vaults.ts';
import type { Curator } from './curators.ts';

/** Tokens of all vaults of a curator in one market. */
export interface MarketAllocation {
  /** Null for what stays in the vaults. */
  readonly market: Address | null;
  readonly usd: Rational;
  /** Of everything in the vaults, as a fraction. */
  readonly share: Rational;
}

interface Valued<K> {
  readonly key: K;
  readonly usd: Rational;
}

/** By market, largest first. Null when a reserve of a vault cannot be read or a token has no price. */
export const marketAllocations = perView((view: View, { vaults }: Curator): MarketAllocation[] | null => {
  const parts: Valued<Address | null>[] = [];
  for (const vault of vaults) {
    const holdings = Valuation.of(view).holdings(vault);
    if (holdings === null) return null;
    const held = [
      { key: null, baseUnits: holdings.idle },
      ...holdings.allocations.map(({ allocation, invested }) => ({
        key: view.get('reserve', allocation.reserve)?.value.lendingMarket ?? null,
        baseUnits: invested ?? ZERO,
      })),
    ];
    for (const { key, baseUnits } of held) {
      if (baseUnits.isZero) continue;
      const { usd } = vaultAmount(view, vault, baseUnits);
      if (usd === null) return null;
      parts.push({ key, usd });
    }
  }
  return sharesOf(parts, String).map(({ key: market, ...rest }) => ({ market, ...rest }));
});

/** A part of what the vaults of a curator are exposed to. */
export interface CuratorExposure {
  readonly kind: ExposureKind;
  readonly mint: Address | null;
  readonly usd: Rational;
  readonly share: Rational;
}

/**
 * What stands behind the tokens of all vaults of a curator, largest first. Null when a reserve or a market of a vault cannot
 * be read, or a token has no price.
 *
 * @throws errors of `marketRisk`
 */
export async function curatorExposures(
  platform: Platform,
  session: Session,
  { vaults }: Curator,
): Promise<CuratorExposure[] | null> {
  const risks = await Promise.all(vaults.map((vault) => exposedUsd(platform, session, vault)));
  const known = risks.filter((each) => each !== null);
  if (known.length < risks.length) return null;
  return sharesOf(known.flat(), ({ kind, mint }) => `${kind} ${mint}`).map(({ key, ...rest }) => ({
    ...key,
    ...rest,
  }));
}

async function exposedUsd(platform: Platform, session: Session, vault: VaultRecord) {
  const { view } = session;
  const holdings = Valuation.of(view).holdings(vault);
  if (holdings === null) return null;
  if (holdings.gross.isZero) return [];
  const { usd } = vaultAmount(view, vault, holdings.gross);
  const risk = await vaultRisk(platform, session, vault, []);
  if (usd === null || risk === null) return null;
  return risk.exposures.map(({ kind, mint, share }) => ({ key: { kind, mint }, usd: usd.mul(share) }));
}

/** Values with an equal key added up, largest first. The shares add up to 1, also once they are rounded. */
function sharesOf<K>(parts: readonly Valued<K>[], textOf: (key: K) => string) {
  const sums = new Map<string, { readonly key: K; readonly values: Rational[] }>();
  for (const { key, usd } of parts) {
    const known = sums.get(textOf(key)) ?? { key, values: [] };
    sums.set(textOf(key), known);
    known.values.push(usd);
  }
  const exact = [...sums.values()]
    .map(({ key, values }) => ({ key, usd: total(values) }))
    .filter(({ usd }) => !usd.isZero)
    .sort((a, b) => b.usd.compare(a.usd));
  const all = total(exact.map(({ usd }) => usd));
  const shares = wholeShares(exact.map(({ usd }) => ratio(usd, all)));
  return exact.map((each, i) => ({ ...each, share: shares[i] ?? ratio(each.usd, all) }));
}
