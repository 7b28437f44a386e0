/** Groups of operations, in the documentation and in generated clients. */
export const TAGS = {
  Tokens: 'Tokens of the platform: metadata, volume and market capitalisation.',
  Vaults: 'Earn vaults: accounts, yields, prices, rewards and history.',
  Curators: 'Curators of earn vaults: who controls a vault, with value, fees, exposures and incidents.',
  'Vault users': 'Positions, transactions, and profit and loss of a wallet in earn vaults.',
  'Share mints': 'Metadata and icon of the receipt tokens of earn vaults.',
  Farms: 'Farms, which pay rewards to their stakers: transactions.',
  Builders: 'Unsigned transactions and instructions, for the wallet to sign.',
  Seasons:
    'Airdrops, boosts and rewards of seasons, and benchmark rates, from a file that the operator imports.',
  Portfolio: 'All positions of a wallet, by product, and their rewards.',
  Lending: 'Obligations, loans and lending rewards.',
  Markets: 'Lending markets: configuration, totals and history.',
  Reserves: 'Reserves of lending markets: rates, totals, raw accounts and history.',
  'Lookup tables': 'Address lookup tables of vaults and markets, which make transactions smaller.',
  Yields: 'Yields of liquid-staking tokens and of farm rewards, with history.',
  Chain: 'Facts about the cluster: slot duration and epochs.',
  Transactions: 'Sending what a wallet has signed. An addition of this gateway to the documented paths.',
} as const;

export type Tag = keyof typeof TAGS;
