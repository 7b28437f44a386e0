/** What a backtest cannot know. */
export const BACKTEST_LIMITS = {
  OWN_SIZE:
    'The recorded rates are those of the reserves as they were. A vault that lends more or less to a reserve changes its utilization, and with it its rates. The larger the vault is against the reserve, the more its result would have differed.',
  CAPS: 'Caps of the vault, its most idle tokens, deposit limits of reserves and liquidity that was lent out are left out. They may have kept the vault from its weights.',
  REBALANCING:
    'The vault is supposed to have its weights again at each record that all weighted reserves share, without costs and rounding. Really it moves tokens when somebody sends an investment.',
  REWARDS:
    'Rewards of farms and campaigns are left out. Rewards that a reserve adds to its own supply are in its exchange rate.',
  FEES: 'Fees are charged at the rates that the vault has now, at each record. Past fee rates are not recorded. Withdrawal penalties are left out.',
} as const;

export type BacktestLimit = keyof typeof BACKTEST_LIMITS;
