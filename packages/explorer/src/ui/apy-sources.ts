/** The parts of an `ApyBreakdown`, which add up to its total, in the order in which charts stack them. */
export const APY_SOURCES = [
  { field: 'base', label: 'Interest', color: '--series-1', about: 'Interest after the fees of the vault' },
  { field: 'farmRewards', label: 'Farm', color: '--series-2', about: 'Rewards for staked shares' },
  {
    field: 'reserveRewards',
    label: 'Reserve rewards',
    color: '--series-3',
    about: 'Rewards of the reserves that it lends to',
  },
  { field: 'incentives', label: 'Incentives', color: '--series-4', about: 'Reward campaigns of the vault' },
] as const;
