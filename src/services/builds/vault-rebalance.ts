import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { Action } from '../../builders/action.ts';
import type { ActionKind } from '../../builders/action-kinds.ts';
import {
  type CuratorAccounts,
  expectedCuratorReads,
  firstCuratorReads,
  secondCuratorReads,
} from '../../builders/curator/accounts.ts';
import { placeReads } from '../../builders/curator/action.ts';
import { assetsChange, type VaultAssetsChange } from '../../builders/curator/figures.ts';
import { planRebalance, type Rebalance } from '../../builders/curator/rebalance.ts';
import {
  checkTargets,
  MOST_TARGETS,
  type VaultTargetsInput,
} from '../../builders/curator/rebalance-targets.ts';
import { reserveAt } from '../../builders/lending/request.ts';
import { stepSummary } from '../../builders/plan/step-summary.ts';
import type { Change, PreviewAllocation, PreviewSetting } from '../../builders/preview.ts';
import { distinct } from '../../builders/read-accounts.ts';
import { opened, refreshed } from '../../builders/vault/effects.ts';
import { holdingsAt } from '../../builders/vault/exit.ts';
import { type VaultRequest, vaultAt } from '../../builders/vault/request.ts';
import type { BuildWarning } from '../../builders/warnings.ts';
import { toTokens } from '../../domain/arithmetic.ts';
import type { Moment } from '../../domain/moment.ts';
import { actualShare, unallocatedShare, usedAllocations, type VaultHoldings } from '../../domain/vault.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { yieldOfHoldings } from '../vaults/yields.ts';
import type { BuildSource } from './build-source.ts';
import { type BuildOptions, type PreparedBuild, preparePlan } from './builds.ts';
import { readForBuild } from './reads.ts';

export type { VaultTargetsInput };

export interface VaultRebalanceRequest extends VaultTargetsInput {
  /** Signer of the moves. Terms of a reserve are up to the admin of the vault; anyone may invest. */
  readonly wallet: Address;
  readonly vault: Address;
}

/** A move towards the targets. */
export interface VaultMove {
  readonly kind: ActionKind;
  /** Null for a change of the vault's settings. */
  readonly reserve: Address | null;
  readonly summary: string;
  /** The reserve before and after the move; null for a change of settings. */
  readonly allocation: PreviewAllocation | null;
  readonly idleTokens: Change;
  readonly settings: readonly PreviewSetting[];
}

/** A reason why a target is not reached, or not wholly. */
export interface VaultObstacle extends Pick<BuildWarning, 'code' | 'message'> {
  readonly reserve: Address;
  /** Whole tokens that are not moved for it. */
  readonly tokens: Rational;
}

/** A reserve before and after all moves. */
export interface VaultExposure {
  readonly allocation: PreviewAllocation;
  /** Fraction of the vault's tokens; null while the vault does not use the reserve. */
  readonly share: Change;
}

/** A yearly yield before and after all moves, with the reason why one is unknown. */
export interface YieldChange extends Change {
  readonly reason: string | null;
}

/** The moves that reach the targets of a vault, and what they change. */
export interface VaultRebalance {
  readonly wallet: Address;
  readonly actions: readonly Action[];
  readonly moves: readonly VaultMove[];
  readonly obstacles: readonly VaultObstacle[];
  readonly exposures: readonly VaultExposure[];
  readonly assets: VaultAssetsChange;
  readonly idleShare: Change;
  readonly interestApy: Change;
  readonly reserveRewardsApy: YieldChange;
}

/** A change of settings, and three moves for each reserve at most. */
const MOST_STEPS = 1 + 3 * MOST_TARGETS;

/**
 * Plans the moves that reach the targets of a vault. The accounts are read here to choose the moves, and again to build them.
 *
 * @throws NOT_VAULT_ADMIN, and BUILD_REFUSED for targets that the vault cannot have
 */
export async function vaultRebalance(
  source: BuildSource,
  request: VaultRebalanceRequest,
): Promise<VaultRebalance> {
  const { wallet, vault, targets } = request;
  checkTargets(vault, request);
  const { programs, session } = source;
  const about: VaultRequest = { programs, wallet, vault, lookupTables: [] };
  const known = source.vault(vault);
  const placesOf = (reserves: readonly Address[]) =>
    reserves.flatMap((reserve) => placeReads(source, vault, reserve));
  const named = targets.map(({ reserve }) => reserve);
  const first = {
    named: distinct([...firstCuratorReads(about), ...placesOf(named)]),
    expected: [
      ...expectedCuratorReads(source, about),
      ...placesOf(known === undefined ? [] : reservesOf(known)),
      ...named.flatMap((reserve) => source.reserve(reserve)?.lendingMarket ?? []),
    ],
  };
  const { read, slot, moment } = await readForBuild(session, first, (reading) => {
    const { read, isRead } = reading;
    const needs = distinct([
      ...secondCuratorReads(about, read),
      ...placesOf(reservesOf(vaultAt(about, read))),
      ...named.map((reserve) => reserveAt(read, reserve, programs.klend).lendingMarket),
    ]).filter((address) => !isRead(address));
    return needs.length > 0 ? { needs } : { built: reading };
  });
  const context = { slot, moment, payer: wallet };
  const plan = await session.work.run(planRebalance(source, about, request, read, context));
  return summarised(source, request, plan, moment);
}

const reservesOf = (vault: CuratorAccounts['vault']): Address[] =>
  usedAllocations(vault).map(({ reserve }) => reserve);

function summarised(
  { session }: BuildSource,
  { wallet }: VaultRebalanceRequest,
  { steps, obstacles, before, after }: Rebalance,
  moment: Moment,
): VaultRebalance {
  const sides = { before: sideAt(before, moment), after: sideAt(after, moment) };
  const yields = {
    before: yieldOfHoldings(session.view, sides.before.vault, sides.before.holdings, moment),
    after: yieldOfHoldings(session.view, sides.after.vault, sides.after.holdings, moment),
  };
  const assets = assetsChange(before, after, moment);
  const rewards = { before: yields.before.reserveRewards, after: yields.after.reserveRewards };
  const isKnown = rewards.before !== null && rewards.after !== null;
  return {
    wallet,
    actions: steps.map(({ action }) => action),
    moves: steps.map(({ built, reserve }) => {
      const { vault } = built.preview();
      if (vault === null) throw new SluiceError('INTERNAL', {});
      return {
        kind: built.kind,
        reserve,
        summary: stepSummary(built),
        allocation: vault.allocations.find((each) => each.reserve === reserve) ?? null,
        idleTokens: vault.idleTokens,
        settings: vault.settings,
      };
    }),
    obstacles: obstacles.map(({ tokens, ...each }) => ({
      ...each,
      tokens: toTokens(integer(tokens), before.vault.tokenMintDecimals),
    })),
    exposures: assets.allocations.map((allocation) => ({
      allocation,
      share: {
        before: shareOf(sides.before.holdings, allocation.reserve),
        after: shareOf(sides.after.holdings, allocation.reserve),
      },
    })),
    assets,
    idleShare: {
      before: unallocatedShare(sides.before.holdings),
      after: unallocatedShare(sides.after.holdings),
    },
    interestApy: { before: yields.before.interest, after: yields.after.interest },
    reserveRewardsApy: {
      ...rewards,
      reason: isKnown ? null : `A campaign pays on deposits of ${before.symbol}, whose price is unknown.`,
    },
  };
}

function sideAt(accounts: CuratorAccounts, moment: Moment) {
  const { vault } = opened(
    { vault: accounts.vault, reserves: refreshed(accounts, moment) },
    moment.timestamp,
  );
  return { vault, holdings: holdingsAt({ ...accounts, vault }, moment) };
}

function shareOf(holdings: VaultHoldings, reserve: Address): Rational | null {
  const holding = holdings.allocations.find(({ allocation }) => allocation.reserve === reserve);
  return holding === undefined ? null : actualShare(holdings, holding);
}

/**
 * Builds the moves as one plan. What stops a target is a warning of the plan.
 *
 * @throws BUILD_REFUSED when nothing can be moved
 */
export async function prepareRebalance(
  source: BuildSource,
  { actions, obstacles, exposures }: Pick<VaultRebalance, 'actions' | 'obstacles' | 'exposures'>,
  options: BuildOptions,
): Promise<PreparedBuild> {
  if (actions.length === 0) {
    const reasons = obstacles.map(({ reserve, code, message }) => `${reserve}: ${code}: ${message}`);
    const reason =
      reasons.length === 0
        ? 'the vault is at these targets already'
        : `nothing can be moved towards these targets: ${reasons.join('; ').replace(/\.$/, '')}`;
    throw new SluiceError('BUILD_REFUSED', { reason });
  }
  const notes = obstacles.map(({ reserve, code, message }) => ({
    level: 'WARNING' as const,
    code,
    message: `Reserve ${reserve}: ${message}`,
  }));
  // Each move looks at all reserves of the vault.
  source.session.work.draw('steps', actions.length * exposures.length);
  return await preparePlan(source, actions, options, { notes, mostSteps: MOST_STEPS });
}
