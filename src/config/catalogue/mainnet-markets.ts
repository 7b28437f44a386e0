/** A market of mainnet-beta. Absent fields are unknown or false. */
export interface MarketRow {
  readonly lendingMarket: string;
  /** Used while the market account has no name. */
  readonly name: string;
  readonly lookupTable?: string;
  readonly isPrimary?: true;
}

/**
 * Names, the primary market and lookup tables, as the platform's own market configuration (`GET /v2/.../market`) and its
 * web application publish them, read from public repositories that quote them. No source names a curated market.
 * `npm run import-catalogue` reads the current ones from a deployment.
 */
export const MAINNET_MARKETS: readonly MarketRow[] = [
  {
    lendingMarket: '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF',
    name: 'Main Market',
    lookupTable: 'FGMSBiyVE8TvZcdQnZETAAKw28tkQJ2ccZy6pyp95URb',
    isPrimary: true,
  },
  {
    lendingMarket: 'DxXdAyU3kCjnyggvHmY5nAwg5cRbbmdyX3npfDMjjMek',
    name: 'JLP Market',
    lookupTable: 'GprZNyWk67655JhX6Rq9KoebQ6WkQYRhATWzkx2P2LNc',
  },
  {
    lendingMarket: 'ByYiZxp8QrdN9qbdtaAiePN8AAr3qvTPppNJDpf5DVJ5',
    name: 'Altcoins Market',
    lookupTable: 'x2uEQSaqrZs5UnyXjiNktRhrAy6iNFeSKai9VNYFFuy',
  },
  {
    lendingMarket: 'H6rHXmXoCQvq8Ue81MqNh7ow5ysPa1dSozwW3PU1dDH6',
    name: 'Jito Market',
    lookupTable: '7J58uyRavy93zY3NMStRJCKHd7G2kt7wu3mpscAUGte1',
  },
  {
    lendingMarket: 'BJnbcRHqvppTyGesLzWASGKnmnF1wq9jZu6ExrjT7wvF',
    name: 'Ethena Market',
    lookupTable: '5Cx8pxA2LuCPnt8RZG9LKjKc7PnzWwvCx6xJZis7MTwm',
  },
  {
    lendingMarket: '6WEGfej9B9wjxRs6t4BYpb9iCXd8CpTpJ8fVSNzHCC5y',
    name: 'Maple Market',
    lookupTable: 'CC6dR5rz9tuhdxzvePGvVhqJPnBu9BFyc1qdRjxbquWZ',
  },
  {
    lendingMarket: 'C7h9YnjPrDvNhe2cWWDhCu4CZEB1XTTH4RzjmsHuengV',
    name: 'Solblaze Market',
    lookupTable: 'CPM1EHHTqYMoR4Kyp2fZTwrSWc9bXvoki8MgiaTR1ciu',
  },
  {
    lendingMarket: 'GVDUXFwS8uvBG35RjZv6Y8S1AkV5uASiMJ9qTUKqb5PL',
    name: 'Marinade Market',
    lookupTable: '9JLvnXRXEQTdqZjNUFpSZqh4WjNozQpmoM47XX8tY8Ua',
  },
  { lendingMarket: 'CqAoLuqWtavaVE8deBjMKe8ZfSt9ghR6Vb8nfsyabyHA', name: 'Prime Market' },
  { lendingMarket: '47tfyEG9SsdEnUm9cw5kY9BXngQGqu3LBoop9j5uTAv8', name: 'OnRe Market' },
  { lendingMarket: 'GMqmFygF5iSm5nkckYU6tieggFcR42SyjkkhK5rswFRs', name: 'Bitcoin Market' },
  { lendingMarket: 'CF32kn7AY8X1bW7ZkGcHc4X9ZWTxqKGCJk6QwrQkDcdw', name: 'Superstate Opening Bell Market' },
  { lendingMarket: '52FSGeeokLpgvgAMdqxyt5Hoc2TbUYj5b8yxrEdZ37Vf', name: 'Huma Market' },
  { lendingMarket: '9Y7uwXgQ68mGqRtZfuFaP4hc4fxeJ7cE9zTtqTxVhfGU', name: 'Solstice Market' },
  { lendingMarket: '5wJeMrUYECGq41fxRESKALVcHnNX26TAWy4W98yULsua', name: 'xStocks Market' },
];
