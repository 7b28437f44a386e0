import type { LendingSetting } from '../builders/lending-accounts.ts';
import type { Chance } from './random-states.ts';

/** The market after it has lowered its maximum LTVs, which leaves loans above them. Those of 0 stay. */
export function withLoweredLimits(setting: LendingSetting, chance: Chance): LendingSetting {
  const lowered = (ltvPct: number | undefined) => (ltvPct === 0 ? 0 : chance.pick(5, 20, 40));
  return {
    ...setting,
    market: {
      ...setting.market,
      elevationGroups: setting.market?.elevationGroups?.map((group) => ({ ...group, ltvPct: lowered(1) })),
    },
    reserves: (setting.reserves ?? []).map((each) => ({
      ...each,
      config: { ...each.config, loanToValuePct: lowered(each.config?.loanToValuePct) },
    })),
  };
}
