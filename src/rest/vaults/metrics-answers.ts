import { type RecordedVault, recordedVault } from '../../services/history/recorded-vaults.ts';
import type { VaultRecord } from '../../services/request/records.ts';
import type { Session } from '../../services/request/session.ts';
import { solPriceUsd } from '../../services/tokens/tokens.ts';
import * as vaults from '../../services/vaults/vaults.ts';
import { currentYield, theoreticalYield } from '../../services/vaults/yields.ts';
import type { Call } from '../operation/operation.ts';
import { type AnswerOf, UNKNOWN_NUMBER } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import type { ListedVaultMetrics, VaultMetrics } from './schemas.ts';

/** The metrics of a vault, with the field names of the REST contract. */
export async function vaultMetrics(
  { session, platform }: Call,
  vault: VaultRecord,
): Promise<AnswerOf<typeof VaultMetrics>> {
  return metricsOf(session.view, vault, await recordedVault(platform, session, vault));
}

/** The metrics of several vaults, each with its address. Recorded facts take two statements, however many vaults there are. */
export async function listedVaultMetrics(
  { session, platform }: Call,
  listed: readonly VaultRecord[],
): Promise<AnswerOf<typeof ListedVaultMetrics>[]> {
  const recorded = await Promise.all(
    listed.map(async (vault) => ({ vault, facts: await recordedVault(platform, session, vault) })),
  );
  return await session.work.map(recorded, 1, ({ vault, facts }) => ({
    kvault: vault.address,
    ...metricsOf(session.view, vault, facts),
  }));
}

function metricsOf(
  view: Session['view'],
  vault: VaultRecord,
  { realisedApy, holders }: RecordedVault,
): AnswerOf<typeof VaultMetrics> {
  const now = currentYield(view, vault);
  const organic = theoreticalYield(view, vault)?.base;
  const [idle, invested] = [vaults.idle(view, vault), vaults.invested(view, vault)];
  const { earned, perSecond } = vaults.vaultInterest(view, vault);
  const { cumulativePerformance, cumulativeManagement } = vaults.vaultFees(view, vault);
  return {
    apy24h: decimal(realisedApy.H24),
    apy7d: decimal(realisedApy.D7),
    apy30d: decimal(realisedApy.D30),
    apy90d: decimal(realisedApy.D90),
    apy180d: decimal(realisedApy.D180),
    apy365d: decimal(realisedApy.D365),
    // Clients add the rewards to it.
    apy: decimal(organic),
    apyTheoretical: decimal(organic),
    apyActual: decimal(now?.base),
    apyFarmRewards: decimal(now?.farmRewards),
    apyIncentives: decimal(now?.incentives),
    apyReservesIncentives: decimal(now?.reserveRewards),
    tokenPrice: decimal(vaults.vaultDenomination(view, vault).priceUsd),
    solPrice: decimal(solPriceUsd(view)),
    tokensAvailable: decimal(idle.amount),
    tokensAvailableUsd: decimal(idle.usd),
    tokensInvested: decimal(invested?.amount),
    tokensInvestedUsd: decimal(invested?.usd),
    sharePrice: decimal(vaults.sharePriceUsd(view, vault)),
    tokensPerShare: decimal(vaults.tokensPerShare(view, vault)),
    sharesIssued: decimal(vaults.sharesIssued(vault)),
    numberOfHolders: holders ?? UNKNOWN_NUMBER,
    cumulativeInterestEarned: decimal(earned.amount),
    cumulativeInterestEarnedUsd: decimal(earned.usd),
    cumulativeInterestEarnedSol: decimal(earned.sol),
    interestEarnedPerSecond: decimal(perSecond?.amount),
    interestEarnedPerSecondUsd: decimal(perSecond?.usd),
    interestEarnedPerSecondSol: decimal(perSecond?.sol),
    cumulativePerformanceFees: decimal(cumulativePerformance.amount),
    cumulativePerformanceFeesUsd: decimal(cumulativePerformance.usd),
    cumulativePerformanceFeesSol: decimal(cumulativePerformance.sol),
    cumulativeManagementFees: decimal(cumulativeManagement.amount),
    cumulativeManagementFeesUsd: decimal(cumulativeManagement.usd),
    cumulativeManagementFeesSol: decimal(cumulativeManagement.sol),
  };
}
