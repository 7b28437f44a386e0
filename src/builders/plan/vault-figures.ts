import type { Address } from '@solana/kit';
import type { Change, PreviewAllocation, PreviewAmount, PreviewSetting, VaultFigures } from '../preview.ts';

/** What several steps do to one vault, in order. Null for several vaults. */
export function combinedVault(steps: readonly VaultFigures[]): VaultFigures | null {
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined) return null;
  if (steps.some(({ vault }) => vault !== first.vault)) return null;
  const across = (figure: (step: VaultFigures) => Change): Change => span(figure(first), figure(last));
  return {
    vault: first.vault,
    allocations: combinedAllocations(steps),
    idleTokens: across(({ idleTokens }) => idleTokens),
    targetIdleTokens: across(({ targetIdleTokens }) => targetIdleTokens),
    pendingFees: across(({ pendingFees }) => pendingFees),
    rewardsAvailable: across(({ rewardsAvailable }) => rewardsAvailable),
    settings: combinedSettings(steps),
    paid: sum(steps.map(({ paid }) => paid)),
    received: sum(steps.map(({ received }) => received)),
    rent: sum(steps.map(({ rent }) => rent)),
  };
}

const span = ({ before }: Change, { after }: Change): Change => ({ before, after });

const NOTHING: Change = { before: null, after: null };

/** A reserve is absent from the steps before it is added and from those after it is removed. */
function combinedAllocations(steps: readonly VaultFigures[]): PreviewAllocation[] {
  const reserves = new Set<Address>(
    steps.flatMap(({ allocations }) => allocations.map(({ reserve }) => reserve)),
  );
  return [...reserves].map((reserve) => {
    const rows = steps.map(({ allocations }) => allocations.find((row) => row.reserve === reserve));
    const across = (figure: (row: PreviewAllocation) => Change): Change => {
      const of = (row: PreviewAllocation | undefined) => (row === undefined ? NOTHING : figure(row));
      return span(of(rows[0]), of(rows.at(-1)));
    };
    return {
      reserve,
      weight: across(({ weight }) => weight),
      cap: across(({ cap }) => cap),
      collateralCap: across(({ collateralCap }) => collateralCap),
      tokens: across(({ tokens }) => tokens),
      targetTokens: across(({ targetTokens }) => targetTokens),
    };
  });
}

function combinedSettings(steps: readonly VaultFigures[]): PreviewSetting[] {
  const changed = new Map<PreviewSetting['setting'], PreviewSetting>();
  for (const row of steps.flatMap(({ settings }) => settings)) {
    const before = changed.get(row.setting)?.before ?? row.before;
    changed.set(row.setting, { ...row, before });
  }
  return [...changed.values()];
}

/** Amounts of one token; all tokens of a vault are. */
function sum(amounts: readonly (PreviewAmount | null)[]): PreviewAmount | null {
  return amounts.reduce(
    (total, each) =>
      total === null || each === null ? (total ?? each) : { ...each, amount: total.amount + each.amount },
    null,
  );
}
