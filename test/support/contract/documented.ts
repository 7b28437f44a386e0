/** Reads of lending and of farms beyond the specification that existing clients call. */
const LENDING_CALLED_BY_CLIENTS: readonly string[] = [
  'get /farms/users/{pubkey}/transactions',
  'get /farms/{pubkey}/transactions',
  'get /v2/svc-market/users/{userPubkey}/transactions',
  'get /v2/svc-market/{marketPubkey}/users/{userPubkey}/transactions',
  'get /v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/transactions',
  'post /v2/svc-market/{pubkey}/transactions',
  'post /v3/svc-market/{pubkey}/transactions',
  'get /v3/svc-market/users/{userPubkey}/transactions',
  'get /v3/svc-market/{marketPubkey}/users/{userPubkey}/transactions',
  'get /v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-fees',
  'get /v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-paid',
];

/** The 43 operations of the specification, twelve of them builders. */
export const SPECIFIED: readonly string[] = [
  'get /tokens-api/tokens',

  'get /kvaults/vaults',
  'get /kvaults/vaults/{pubkey}',
  'get /kvaults/vaults/{pubkey}/metrics',
  'get /kvaults/vaults/{pubkey}/metrics/history',
  'get /kvaults/vaults/{pubkey}/allocation-volume/history',
  'get /kvaults/users/{pubkey}/transactions',
  'get /kvaults/users/{pubkey}/metrics/history',
  'get /kvaults/users/{pubkey}/positions',
  'get /kvaults/users/{userPubkey}/positions/{vaultPubkey}',
  'get /kvaults/users/{userPubkey}/vaults/{vaultPubkey}/metrics/history',
  'get /kvaults/users/{userPubkey}/vaults/{vaultPubkey}/pnl',
  'get /kvaults/users/{userPubkey}/vaults/{vaultPubkey}/pnl/history',
  'get /kvaults/summary',
  'get /kvaults/mints/{pubkey}/metadata',
  'get /kvaults/mints/{pubkey}/metadata/image.svg',
  'get /kvaults/rewards',

  'get /klend/rewards',
  'get /klend/users/{pubkey}/rewards',
  'get /klend/{depositReservePubkey}/{borrowReservePubkey}/rewards/history',
  'get /klend/loans/{pubkey}',

  'get /v2/svc-market',
  'get /v2/svc-market/{pubkey}',
  'get /v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/metrics/history',
  'get /v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/pnl',
  'get /svc-market/{pubkey}/reserves/metrics',
  'get /svc-market/{marketPubkey}/reserves/{reservePubkey}/metrics/history',
  'get /svc-market/{pubkey}/leverage/metrics',
  'get /svc-market/{pubkey}/metrics/history',
  'get /svc-market/reserves/account-data',
  'get /svc-market/{marketPubkey}/users/{userPubkey}/obligations',

  ...['klend/deposit', 'klend/borrow', 'klend/repay', 'klend/withdraw', 'kvault/deposit', 'kvault/withdraw']
    .flatMap((action) => [action, `${action}-instructions`])
    .map((action) => `post /ktx/${action}`),
];

/** Operations beyond the specification that existing clients call. */
const CALLED_BY_CLIENTS: readonly string[] = [
  'get /kvaults/vaults/metrics',
  'get /kvaults/vaults/metrics/history',
  'get /kvaults/vaults/{pubkey}/allocations',
  'post /kvaults/vaults/{pubkey}/transactions',
  'post /kvaults/transactions',
  'get /kvaults/vaults/{pubkey}/enqueued-withdraw-transactions',
  'post /luts/find-minimal',
  'get /luts/managed',
  'get /oracles/prices',
  'get /prices',
  'get /prices/history',
  'get /kvaults/users/{pubkey}/rewards',
  'get /v2/airdrop/users/{pubkey}/allocations',
  'get /v2/airdrop/metrics',
  'get /users/{pubkey}/staking-boosts',
  'get /season-rewards/users/{pubkey}',
  'get /season-rewards/final-vesting-pool',
  'get /benchmark-rates/usd',
  'get /markets/collateral-reserves',
  'get /reserves/{pubkey}/stats',
  'get /reserves/batch/stats',
  'get /slots/duration',
  'get /epochs',
  'get /v2/staking-yields',
  'get /v2/staking-yields/median',
  'get /v2/staking-yields/mean',
  'get /yields/{source}/history',
  'get /svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/history',
  'get /svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/history/median',
  'post /ktx/klend/liquidate',
  'post /ktx/klend/liquidate-instructions',
  'get /portfolio/{wallet}',
  'get /portfolio/{wallet}/rewards',
];

/** Borrow orders, farms and lookup tables as the live service documents them. */
const LIVE_ORDERS_AND_TABLES: readonly string[] = [
  'get /v2/svc-market/{pubkey}/obligations-with-open-borrow-orders',
  'get /v2/svc-market/obligations/{pubkey}/borrow-order-fills',
  'get /farms/{farmPubkey}/management-history',
  'get /luts/managed/batch',
  'get /luts/managed/product-type/{productType}',
  'get /yields/principal-tokens',
  'get /kvaults/private-credit/metrics',
  'get /kvaults/private-credit/metrics/history',
];

/** Reads of this project, for what the specification does not know. */
const OWN: readonly string[] = [
  'get /reserves/{pubkey}/withdraw-queue',
  'get /markets/{pubkey}/borrow-orders',
  'post /kvaults/vaults/{pubkey}/backtest',
  'post /kvaults/vaults/{pubkey}/risk',
  'get /kvaults/curators',
  'get /kvaults/curators/{address}',
  'get /kvaults/curators/{address}/fees/history',
  'get /portfolio/{wallet}/activity',
  'get /portfolio/{wallet}/activity.csv',
  'get /portfolio/{wallet}/activity.jsonl',
  'get /portfolio/{wallet}/income',
  'get /portfolio/{wallet}/income.csv',
];

/** Operations that must stay served, and all reads that are. Builders beyond the specification have a row each. */
export const DOCUMENTED: readonly string[] = [
  ...SPECIFIED,
  ...CALLED_BY_CLIENTS,
  ...LENDING_CALLED_BY_CLIENTS,
  ...LIVE_ORDERS_AND_TABLES,
  ...OWN,
];
