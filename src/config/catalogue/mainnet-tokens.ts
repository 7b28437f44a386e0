/** Mint, symbol, name, URL of a logo if one is known, and whether it is a stablecoin. */
export type TokenRow = readonly [
  mint: string,
  symbol: string,
  name: string,
  logoUrl?: string | null,
  kind?: 'stablecoin',
];

/**
 * Tokens of reserves on mainnet-beta that are in Jupiter's public list of validated tokens (April 2025), with its symbols,
 * names and logos; the most used first. Decimals are not here: they are read from the mint.
 */
export const VALIDATED_TOKENS: readonly TokenRow[] = [
  [
    'So11111111111111111111111111111111111111112',
    'SOL',
    'Wrapped SOL',
    'https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/So11111111111111111111111111111111111111112/logo.png',
  ],
  [
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    'USDC',
    'USD Coin',
    'https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v/logo.png',
    'stablecoin',
  ],
  [
    'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
    'USDT',
    'USDT',
    'https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB/logo.svg',
    'stablecoin',
  ],
  [
    'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn',
    'JitoSOL',
    'Jito Staked SOL',
    'https://storage.googleapis.com/token-metadata/JitoSOL-256.png',
  ],
  [
    '27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4',
    'JLP',
    'Jupiter Perps',
    'https://static.jup.ag/jlp/icon.png',
  ],
  [
    '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo',
    'PYUSD',
    'PayPal USD',
    'https://424565.fs1.hubspotusercontent-na1.net/hubfs/424565/PYUSDLOGO.png',
    'stablecoin',
  ],
  [
    '3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh',
    'WBTC',
    'Wrapped BTC (Portal)',
    'https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh/logo.png',
  ],
  [
    '6DNSN2BJsaPFdFFc1zP37kkeNe4Usc1Sqkzr9C9vPWcU',
    'tBTC',
    'Threshold Bitcoin',
    'https://bafybeidlxvypapcw2gbs7f2mazbub75kiphz4fgrmljgdjoiswmx32zkri.ipfs.dweb.link/',
  ],
  [
    '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs',
    'ETH',
    'Ether (Portal)',
    'https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs/logo.png',
  ],
  [
    'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So',
    'mSOL',
    'Marinade staked SOL (mSOL)',
    'https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So/logo.png',
  ],
  [
    'bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1',
    'bSOL',
    'BlazeStake Staked SOL (bSOL)',
    'https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1/logo.png',
  ],
  [
    'jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v',
    'JupSOL',
    'Jupiter Staked SOL',
    'https://static.jup.ag/jupSOL/icon.png',
  ],
  [
    'he1iusmfkpAdwvxLNGV8Y1iSbj4rUy6yMhEA3fotn9A',
    'hSOL',
    'Helius Staked SOL',
    'https://raw.githubusercontent.com/igneous-labs/lst-offchain-metadata/master/hSOL/hSOL.png',
  ],
  ['JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'JUP', 'Jupiter', 'https://static.jup.ag/jup/icon.png'],
  [
    'jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL',
    'JTO',
    'JITO',
    'https://metadata.jito.network/token/jto/image',
  ],
  ['KMNo3nJsBXfcpJTVhZcXLW7RmTwTt4GVFE7suUBo9sS', 'KMNO', 'Kamino', 'https://cdn.kamino.finance/kamino.svg'],
  ['HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3', 'PYTH', 'Pyth Network', 'https://pyth.network/token.svg'],
  [
    'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263',
    'Bonk',
    'Bonk',
    'https://arweave.net/hQiPZOsRZXGXBJd_82PhVdlM_hACsT_q6wqwf5cSY7I?ext=png',
  ],
  [
    'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm',
    '$WIF',
    'dogwifhat',
    'https://bafkreibk3covs5ltyqxa272uodhculbr6kea6betidfwy3ajsav2vjzyum.ipfs.nftstorage.link',
  ],
  [
    'WENWENvqqNya429ubCdR81ZmD69brwQaaBYY6p3LCpk',
    'WEN',
    'Wen',
    'https://shdw-drive.genesysgo.net/GwJapVHVvfM4Mw4sWszkzywncUWuxxPd6s9VuFfXRgie/wen_logo.png',
  ],
  [
    'USDH1SM1ojwWUga67PGrgFWUHibbjqMvuMaDkRJTgkX',
    'USDH',
    'USDH Hubble Stablecoin',
    'https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/USDH1SM1ojwWUga67PGrgFWUHibbjqMvuMaDkRJTgkX/usdh.svg',
    'stablecoin',
  ],
  [
    '7kbnvuGBxxj8AG9qp8Scn56muWGaRaFqxg1FsRp3PaFT',
    'UXD',
    'UXD Stablecoin',
    'https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/7kbnvuGBxxj8AG9qp8Scn56muWGaRaFqxg1FsRp3PaFT/uxd-icon-black.png',
    'stablecoin',
  ],
];

/** Tokens of reserves that are not in that list, with the symbols that public code of issuers and integrators uses. */
export const NEWER_TOKENS: readonly TokenRow[] = [
  ['USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA', 'USDS', 'USDS', null, 'stablecoin'],
  ['2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH', 'USDG', 'Global Dollar', null, 'stablecoin'],
  ['CASHx9KJUStyftLFWGvEVf59SGeG9sh5FfcnZMVPCASH', 'CASH', 'CASH', null, 'stablecoin'],
  ['DEkqHyPN7GMRJ5cArtQFAWefqbZb33Hyf6s5iCwjEonT', 'USDe', 'USDe', null, 'stablecoin'],
  ['Eh6XEPhSwoLv5wFApukmnaVSHQ6sAnoD9BmgmwQoN2sN', 'sUSDe', 'sUSDe'],
  ['AvZZF1YaZDziPY2RCK4oJrRVrbN3mTD9NL24hPeaZeUj', 'syrupUSDC', 'Syrup USDC'],
  ['3b8X44fLF9ooXaUm3hhSgjpmVs6rZZ3pPoGnGahc3Uu7', 'PRIME', 'PRIME'],
  ['5Y8NV33Vv7WbnLfq3zBcKSdYPrk7g2KoiQoe7M2tcxp5', 'ONyc', 'ONyc'],
  ['59obFNBzyTBGowrkif5uK7ojS58vsuWz3ZCvg6tfZAGw', 'PST', 'PST'],
  ['6FrrzDk5mQARGc1TDYoyVnSyRdds1t4PbtohCD6p3tgG', 'USX', 'USX', null, 'stablecoin'],
  ['cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij', 'cbBTC', 'Coinbase Wrapped BTC'],
];
