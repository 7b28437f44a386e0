import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { safeDate } from '../../domain/dates.ts';
import { isInEmergency as isReserveInEmergency } from '../../domain/reserve.ts';
import { shareFalls } from '../../domain/share-falls.ts';
import { allocationCap } from '../../domain/vault-cap.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import type { VaultPoint } from '../../store/history/vault-series.ts';
import { sameBuckets } from '../history/series.ts';
import { slicesOf } from '../history/slices.ts';
import { isInEmergency } from '../markets/markets.ts';
import type { Platform } from '../platform/platform.ts';
import type { VaultRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { PERIOD_MS, viewTime } from '../request/time-range.ts';
import { vaultRisk } from '../risk/vault-risk.ts';
import { depositRoom } from '../vaults/caps.ts';
import { vaultAllocations } from '../vaults/vaults.ts';

export type IncidentKind =
  | 'BAD_DEBT'
  | 'MARKET_EMERGENCY'
  | 'RESERVE_EMERGENCY'
  | 'RESERVE_DEPOSIT_LIMIT'
  | 'RESERVE_BORROW_LIMIT'
  | 'ALLOCATION_CAP'
  | 'DEPOSIT_CAP'
  | 'SHARE_VALUE_FELL';

/** Where an incident was seen: in accounts of the View, in the loans of a market, or in recorded history. */
export type IncidentEvidence = 'ACCOUNT' | 'LOANS' | 'HISTORY';

export interface Incident {
  readonly kind: IncidentKind;
  readonly evidence: IncidentEvidence;
  readonly vault: VaultRecord;
  /** Null for an incident of the vault itself; so is `market`. */
  readonly reserve: Address | null;
  readonly market: Address | null;
  /** Null when it is not recorded. */
  readonly since: Date | null;
  readonly ongoing: boolean;
  /** Loans with bad debt that the vault's reserve has; null for other kinds. So are both values. */
  readonly badDebtUsd: Rational | null;
  readonly vaultBadDebtUsd: Rational | null;
  /** Lost value of a share, as a fraction; null for other kinds. */
  readonly fall: Rational | null;
}

type Finding = Pick<Incident, 'kind' | 'evidence'> & Partial<Incident>;

const HISTORY_ERRORS: readonly ErrorCode[] = ['HISTORY_DISABLED', 'HISTORY_STARTING', 'HISTORY_UNAVAILABLE'];

/**
 * Incidents of vaults that are going on, and falls of their share value over a recorded year, which come last. Without
 * history, those that are going on.
 *
 * @throws errors of `marketRisk`
 */
export async function incidentsOf(
  platform: Platform,
  session: Session,
  vaults: readonly VaultRecord[],
): Promise<Incident[]> {
  const [badDebts, falls] = await Promise.all([
    Promise.all(vaults.map((vault) => badDebtsOf(platform, session, vault))),
    Promise.all(vaults.map((vault) => fallsOf(platform, session, vault))),
  ]);
  const present = await session.work.map(vaults, 1, (vault) => presentFindings(session, vault));
  const incidents = (vault: VaultRecord, findings: readonly Finding[]) =>
    findings.map((finding) => ({ ...NOTHING, ...finding, vault }));
  return [
    ...vaults.flatMap((vault, i) => incidents(vault, [...(badDebts[i] ?? []), ...(present[i] ?? [])])),
    ...vaults.flatMap((vault, i) => incidents(vault, falls[i] ?? [])),
  ];
}

const FALL_FIELDS = [
  'tokensPerShare',
  'sharesIssued',
  'performanceFees',
  'managementFees',
] as const satisfies readonly (keyof VaultPoint)[];

const NOTHING = {
  reserve: null,
  market: null,
  since: null,
  ongoing: true,
  badDebtUsd: null,
  vaultBadDebtUsd: null,
  fall: null,
} as const;

async function badDebtsOf(platform: Platform, session: Session, vault: VaultRecord): Promise<Finding[]> {
  const risk = await vaultRisk(platform, session, vault, []);
  return (risk?.now.reserves ?? [])
    .filter(({ badDebtUsd }) => !badDebtUsd.isZero)
    .map((loss) => ({ ...loss, kind: 'BAD_DEBT', evidence: 'LOANS' }));
}

function presentFindings({ view }: Session, vault: VaultRecord): Finding[] {
  const findings: Finding[] = [];
  for (const { holding, invested } of vaultAllocations(view, vault)) {
    const { allocation } = holding;
    const record = view.get('reserve', allocation.reserve);
    if (
      record === undefined ||
      (allocation.ctokenAllocation === 0n && allocation.targetAllocationWeight === 0n)
    ) {
      continue;
    }
    const { value } = record;
    const place = { evidence: 'ACCOUNT', reserve: record.address, market: value.lendingMarket } as const;
    const market = view.get('market', value.lendingMarket);
    if (market !== undefined && isInEmergency(market)) findings.push({ ...place, kind: 'MARKET_EMERGENCY' });
    if (isReserveInEmergency(value)) findings.push({ ...place, kind: 'RESERVE_EMERGENCY' });
    const { depositLimitCrossedTimestamp: deposits, borrowLimitCrossedTimestamp: borrows } = value.liquidity;
    if (deposits > 0n) findings.push({ ...place, kind: 'RESERVE_DEPOSIT_LIMIT', since: safeDate(deposits) });
    if (borrows > 0n) findings.push({ ...place, kind: 'RESERVE_BORROW_LIMIT', since: safeDate(borrows) });
    // A cap of 0 stops new tokens; one with tokens above it was hit too.
    const isFull = invested !== null && !invested.baseUnits.isZero;
    if (isFull && invested.baseUnits.compare(allocationCap(allocation, holding.reserve)) >= 0)
      findings.push({ ...place, kind: 'ALLOCATION_CAP' });
  }
  if (depositRoom(view, vault)?.baseUnits.isZero === true)
    findings.push({ kind: 'DEPOSIT_CAP', evidence: 'ACCOUNT' });
  return findings;
}

async function fallsOf(platform: Platform, session: Session, { address }: VaultRecord): Promise<Finding[]> {
  const end = new Date(viewTime(session.view).getTime() + 1);
  const start = new Date(end.getTime() - PERIOD_MS.D365);
  try {
    const slices = slicesOf(platform, session, 'Incidents');
    const ask = sameBuckets(address, { start, end, open: false }, 'DAY');
    const { points } = await slices.vault(ask, FALL_FIELDS);
    return shareFalls(points).map(({ bucket, fall }) => ({
      kind: 'SHARE_VALUE_FELL',
      evidence: 'HISTORY',
      since: bucket,
      ongoing: false,
      fall,
    }));
  } catch (error) {
    if (isCodedError(error) && HISTORY_ERRORS.includes(error.code)) return [];
    throw error;
  }
}
