/**
 * The cost of a query is roughly the number of objects it requests:
 * - an object costs 1, and 1 more for every SCALARS_PER_COST of its scalars; raw account bytes cost by their length;
 * - a list costs its size times the cost of one item. The size of a connection is `first` or `last`, by default 20; that
 *   of a plain list is in LIST_SIZES, by default 20. A subscription to several subjects costs as many times the cost of
 *   one event;
 * - a series has `maxPoints` points, by default 500, or as many as its `last` or its `range` with both ends has buckets,
 *   where these are fewer. They are read even if they are not selected, so a point costs at least 1. A point that is
 *   computed from events adds FOLD_COSTS;
 * - `__Type.ofType` costs nothing: introspection queries nest it nine levels deep, but types have two or three;
 * - a field that reads more than the View, from the chain or from recorded history, adds READ_COSTS each time;
 * - a scenario with days of interest adds the steps of its rates (`scenario-cost.ts`);
 * - a backtest adds the points that it reads (`backtest-cost.ts`);
 * - a wallet whose accounts are searched for its positions adds SEARCH_COST once per query: one search finds the shares
 *   of all vaults.
 *
 * Work also depends on the chain and on arguments. It is drawn from the account of the request where it is done
 * (`node/work-budget.ts`), and the rate limit charges what this estimate did not cover (`http/allowance.ts`).
 */

/** Computing and writing this many scalars takes about as long as an object with its links. */
export const SCALARS_PER_COST = 10;

/** Usual upper sizes of plain lists. The programs bound some of them (25 allocations, 8 deposits, 5 debts, 32 groups). */
export const LIST_SIZES: Readonly<Record<string, number | { readonly argument: string }>> = {
  'ActivityEntry.unknown': 2,
  'Alert.deliveries': { argument: 'first' },
  'ApyBreakdown.rewards': 3,
  'BorrowCaps.againstCollateral': 10,
  'BorrowOrder.reserves': 3,
  'BorrowOrderPreview.reserves': 3,
  'ChainStatus.endpoints': 5,
  'ChainStatus.programs': 3,
  'Capacity.limits': 6,
  'CollateralReserve.terms': 10,
  'ChainStatus.epochs': 20,
  'ElevationGroup.collateralReserves': 10,
  'ExplainedInstruction.accounts': 15,
  'ExplainedInstruction.arguments': 2,
  'Farm.rewards': 5,
  'FarmActivity.unknown': 2,
  'FarmStake.rewards': 3,
  'LendingActivity.unknown': 2,
  'Market.collateralReserves': 40,
  'Market.elevationGroups': 10,
  'Market.leverage': 20,
  'Market.prices': 30,
  'Market.reserves': 30,
  'MarketRisk.collateral': 30,
  'MarketRisk.debtEnds': 6,
  'MarketRisk.largestBorrowers': { argument: 'first' },
  'Obligation.borrowOrders': 3,
  'Obligation.borrows': 5,
  'Obligation.debtEnds': 5,
  'Obligation.deposits': 8,
  'ObligationBorrow.ends': 2,
  'ObligationBorrow.rolloverInto': 6,
  'Obligation.orders': 2,
  'LeverageOrder.triggerPrices': 3,
  'ObligationOrderPreview.triggerPrices': 3,
  'ObligationEffect.borrows': 2,
  'ObligationEffect.deposits': 3,
  'ObligationWhatIf.borrows': 2,
  'ObligationWhatIf.deposits': 3,
  'ObligationInterest.earned': 3,
  'ObligationInterest.paid': 2,
  'ObligationPoint.borrows': 2,
  'ObligationPoint.deposits': 3,
  'PeriodIncome.tokens': 3,
  'Query.alerts': 100,
  'Query.lendingRewardHistory': 500,
  'Query.lookupTables': 5,
  'Query.nodes': { argument: 'ids' },
  'Reserve.acceptedCollateral': 20,
  'Reserve.borrowCurve': 11,
  'Reserve.elevationGroups': 5,
  'Reserve.rewards': 3,
  'ReserveCapacity.borrowRoutes': 10,
  'ReservePoint.rewards': 3,
  'ReservePointConfig.borrowCurve': 11,
  'ScenarioRisk.byCollateral': 10,
  'ScenarioRisk.health': 8,
  'ScenarioRisk.liquidatableLoans': { argument: 'first' },
  'ScenarioRisk.unvalued': 2,
  'StakingYield.epochs': 10,
  'Subscription.obligations': { argument: 'addresses' },
  'Subscription.reserves': { argument: 'addresses' },
  'Subscription.vaults': { argument: 'addresses' },
  'TransactionEffects.obligations': 2,
  'TransactionEffects.vaultPositions': 2,
  'UnreadActivity.unknown': 1,
  'Vault.allocations': 8,
  'Vault.rewards': 3,
  'VaultActivity.unknown': 2,
  'VaultBacktest.limits': 5,
  'VaultBacktestOutcome.reserves': 8,
  'VaultBacktestReserve.gaps': 3,
  'VaultMove.settings': 1,
  'VaultPoint.reserves': 8,
  'VaultRebalance.exposures': 8,
  'VaultRebalance.moves': 12,
  'VaultRebalance.obstacles': 4,
  'VaultReservePoint.rewards': 3,
  'VaultState.vaultAllocationStrategy': 8,
  'Wallet.balances': { argument: 'mints' },
  'WithdrawQueueActivity.unknown': 2,
  'WalletIncome.gaps': 3,
  'WalletIncome.periods': 31,
  'WalletIncome.tokens': 5,
  'Wallet.stakes': 10,
  'WalletWhatIf.obligations': 10,
  'WalletWhatIf.vaultPositions': 10,
  'WalletLendingRewards.rewards': 5,
  'TokenInterest.days': 100,
  'TransactionExplanation.instructions': 10,
  'TransactionExplanation.signers': 2,
  'TransactionExplanation.warnings': 5,
  'TransactionPlan.steps': 6,
  'TransactionPlan.transactions': 2,
  'TransactionPlan.warnings': 5,
  'PlanStep.warnings': 5,
  'Simulation.stepUnits': 6,
  'UnsignedTransaction.steps': 6,
  'UnsignedTransaction.tableUses': 3,
  'UnsignedTransaction.tablesUsed': 3,
  'InstructionBundle.instructions': 20,
  'InstructionBundle.lookupTables': 3,
  'Instruction.accounts': 20,
  'Preview.fees': 2,
  'Preview.positions': 2,
  'Preview.warnings': 5,
  'Simulation.balanceChanges': 3,
  'VaultPreview.allocations': 6,
  'VaultPreview.settings': 3,

  '__Field.args': 1,
  '__Schema.directives': 6,
  '__Schema.types': 150,
  '__Type.enumValues': 3,
  '__Type.fields': 10,
  '__Type.inputFields': 3,
  '__Type.interfaces': 1,
  '__Type.possibleTypes': 1,
};

/**
 * The cost of computing one point of a series, whatever is selected of it. How many events and vaults a fold goes through
 * is known only when it runs: those are drawn then (`WorkBudget`).
 */
export const FOLD_COSTS: Readonly<Record<string, number>> = {
  'Obligation.metricsHistory': 10,
  'VaultPosition.metricsHistory': 5,
  'VaultPosition.pnlHistory': 5,
  'Wallet.metricsHistory': 10,
  'Wallet.pnlHistory': 10,
};

export const DEFAULT_LIST_SIZE = 20;

/** Fields whose objects cost nothing. */
export const FREE_FIELDS: ReadonlySet<string> = new Set(['__Type.ofType']);

/** The cost of reading one account from the chain, in a batch. */
const ACCOUNT_COST = 10;

/** The cost of searching for a wallet's accounts: a call for each token program, or a scan of a program. */
export const SEARCH_COST = 500;

/** Fields that cost READ_COSTS for each item of their list. */
export const READS_PER_ITEM: ReadonlySet<string> = new Set(['Query.nodes', 'Subscription.obligations']);

/**
 * The cost of reading or computing more than the View has: about what it draws from the account of the request, where
 * that does not depend on the chain. Accounts and series are read in batches; the accounts of a wallet have to be
 * searched for, which costs most. `Type.*` covers all fields of a type that return objects.
 */
export const READ_COSTS: Readonly<Record<string, number>> = {
  'Farm.transactions': 100,
  'LendingTransaction.obligationTag': ACCOUNT_COST,
  'CollateralReserve.use': 1,
  'ChainStatus.epochs': 5,
  'Farm.yieldHistory': 20,
  'LookupTable.addresses': 5,
  'Market.leverage': 20,
  'Market.metricsHistory': 20,
  'Market.risk': 2 * SEARCH_COST,
  'Alert.deliveries': 1,
  'Query.alerts': 20,
  'Query.earnSummary': 20,
  'Query.explainTransaction': 20 * ACCOUNT_COST,
  'Query.lendingRewardHistory': 20,
  'Query.lookupTables': 5 * ACCOUNT_COST,
  'Query.node': ACCOUNT_COST,
  'Query.nodes': ACCOUNT_COST,
  'Query.obligation': ACCOUNT_COST,
  'Mutation.*': 500,
  'Mutation.buildPlan': 1500,
  'Mutation.buildVaultExit': 1500,
  'Mutation.buildVaultRebalance': 3000,
  'Mutation.createStreamToken': 0,
  'Obligation.accountData': 4,
  'Obligation.interest': 50,
  'Obligation.metricsHistory': 50,
  'Obligation.pnl': 50,
  'Obligation.toReach': 60,
  'Obligation.toReachWithCollateral': 90,
  'Obligation.transactions': 50,
  'Obligation.whatIf': 15,
  'Query.obligations': SEARCH_COST,
  'Query.preview': 500,
  'Query.previewPlan': 1500,
  'Reserve.accountData': 10,
  'Reserve.averageInterestApy': 2,
  'Reserve.metricsHistory': 20,
  'Reserve.underlyingApy': 2,
  'Reserve.withdrawTickets': SEARCH_COST,
  'Subscription.obligationHealth': ACCOUNT_COST,
  'Subscription.obligations': ACCOUNT_COST,
  'Subscription.transaction': ACCOUNT_COST,
  'Subscription.wallet': SEARCH_COST,
  'Token.stakingYield': 2,
  'Token.yieldHistory': 20,
  'TransactionExplanation.effects': 500,
  'TransactionExplanation.simulation': 500,
  'TransactionPlan.simulation': 500,
  'TransactionPlan.transactions': 10,
  'Vault.allocationVolume': 100,
  'Vault.backtest': 20,
  'Vault.holders': 2,
  'Vault.metricsHistory': 20,
  'Vault.plan': 1500,
  'Vault.position': ACCOUNT_COST,
  'Vault.transactions': 100,
  'VaultPosition.costBasis': 20,
  'VaultPosition.metricsHistory': 50,
  'VaultPosition.pnl': 20,
  'VaultPosition.pnlHistory': 50,
  'VaultPosition.realizedPnl': 20,
  'VaultRebalance.build': 1500,
  'VaultTransaction.latestPosition': 1,
  'Wallet.*': SEARCH_COST,
  'Wallet.stakes': 2 * SEARCH_COST,
  'WalletLendingReward.earned': 50,
  'WithdrawTicket.amountAhead': 5,
  'WithdrawTicket.estimate': 10,
  'WithdrawTicket.payable': 5,
};
