import { readText } from '@sluice/protocol/layout/codec';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { curatorExposures, marketAllocations } from '../../services/curators/allocations.ts';
import { type Curator, curatorFees, curatorValue } from '../../services/curators/curators.ts';
import type { CuratorFeePoint } from '../../services/curators/fees-history.ts';
import { type Incident, incidentsOf } from '../../services/curators/incidents.ts';
import { isNameVerified } from '../../services/tokens/verified-name.ts';
import { totalValue } from '../../services/vaults/vaults.ts';
import type { Call } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import { known } from '../values/known.ts';
import type { CuratorDetails, CuratorFeesPoint, CuratorSummary } from './schemas.ts';

const text = (value: Rational | null): string | null => (value === null ? null : decimal(value));

export function curatorSummary(
  view: Call['session']['view'],
  curator: Curator,
): AnswerOf<typeof CuratorSummary> {
  const { address, authorities, entry, vaults } = curator;
  const value = curatorValue(view, curator);
  const { performance, management, pending } = curatorFees(view, curator);
  return {
    address,
    authorities,
    verified: entry !== null,
    ...known({
      name: entry?.name ?? null,
      website: entry?.website ?? null,
      logoUrl: entry?.logoUrl ?? null,
      source: entry?.source ?? null,
      checkedAt: entry?.checkedAt.toISOString() ?? null,
      valueUsd: text(value.usd),
      valueSol: text(value.sol),
      performanceFeesUsd: text(performance.usd),
      performanceFeesSol: text(performance.sol),
      managementFeesUsd: text(management.usd),
      managementFeesSol: text(management.sol),
      pendingFeesUsd: text(pending.usd),
      pendingFeesSol: text(pending.sol),
    }),
    vaults: vaults.map((vault) => ({
      address: vault.address,
      name: readText(vault.value.name),
      nameVerified: isNameVerified(view, vault),
      ...known({ valueUsd: text(totalValue(view, vault)?.usd ?? null) }),
    })),
  };
}

export async function curatorDetails(
  { platform, session }: Call,
  curator: Curator,
): Promise<AnswerOf<typeof CuratorDetails>> {
  const { view } = session;
  const [exposures, incidents] = await Promise.all([
    curatorExposures(platform, session, curator),
    incidentsOf(platform, session, curator.vaults),
  ]);
  return {
    ...curatorSummary(view, curator),
    ...known({
      allocations:
        marketAllocations(view, curator)?.map(({ market, usd, share }) => ({
          ...known({ market }),
          usd: decimal(usd),
          share: decimal(share),
        })) ?? null,
      exposures:
        exposures?.map(({ kind, mint, usd, share }) => ({
          kind,
          ...known({ mint }),
          usd: decimal(usd),
          share: decimal(share),
        })) ?? null,
    }),
    incidents: incidents.map(incidentAnswer),
  };
}

const incidentAnswer = ({ kind, evidence, vault, ongoing, ...incident }: Incident) => ({
  kind,
  evidence,
  vault: vault.address,
  ongoing,
  ...known({
    reserve: incident.reserve,
    market: incident.market,
    since: incident.since?.toISOString() ?? null,
    badDebtUsd: text(incident.badDebtUsd),
    vaultBadDebtUsd: text(incident.vaultBadDebtUsd),
    fall: text(incident.fall),
  }),
});

export const feesPoint = (point: CuratorFeePoint): AnswerOf<typeof CuratorFeesPoint> => ({
  timestamp: new Date(point.at).toISOString(),
  ...known({
    performanceFeesUsd: text(point.performanceUsd),
    managementFeesUsd: text(point.managementUsd),
    feesUsd: text(point.usd),
  }),
  vaults: point.vaults.map((each) => ({
    vault: each.vault.address,
    ...known({
      performanceFees: text(each.performance),
      managementFees: text(each.management),
      performanceFeesUsd: text(each.performanceUsd),
      managementFeesUsd: text(each.managementUsd),
    }),
  })),
});
