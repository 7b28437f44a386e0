/** Object types of which the dump of the embedded chain gives no object, by the reason. */
export const UNREACHED: readonly string[] = [
  // Past transactions, and more than one minute of history.
  ...['LendingTransactionEdge', 'LendingTransaction', 'FarmTransactionEdge', 'FarmTransaction'],
  ...['VaultTransactionEdge', 'VaultTransaction', 'TokenInterest', 'DayInterest', 'WalletPoint', 'PnlPoint'],
  ...['PnlPrices', 'VaultPositionPoint', 'StakingYield', 'EpochYield', 'AverageInterestApy'],
  ...['RealisedInterestApy', 'UnderlyingApy', 'CollateralUse', 'LeverageMetrics', 'Epoch'],
  // Campaigns, which are not on chain.
  ...['LendingReward', 'VaultReward', 'WalletLendingReward', 'EarnedReward', 'LendingRewardPoint'],
  // States that no account of the dump is in.
  ...['BorrowOrder', 'SupposedLiquidation', 'LoanAtRisk', 'CollateralRisk', 'UnvaluedLoans'],
  // Effects of other actions than the deposit that is previewed and explained.
  ...[
    'PreviewReward',
    'PreviewFee',
    'WorstCase',
    'LiquidationPreview',
    'ExplanationWarning',
    'BalanceChange',
  ],
  'StepUnits',
  // Results of refused actions.
  ...['VaultNotFound', 'MarketNotFound', 'ReserveNotFound', 'ReserveNotInMarket', 'ObligationNotFound'],
  ...['PositionNotFound', 'StakeNotFound', 'NothingToClaim', 'InvalidAmount', 'AmountOverflow'],
  ...['InvalidOption', 'SwapRefused', 'InvalidTransaction'],
];
