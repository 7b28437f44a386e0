import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { faucetKeyPair } from './faucet.ts';
import type { MintModel, Token } from './model.ts';
import { itemAt, labelledAddress } from './prng.ts';
import { mintExtensions } from './token-2022.ts';

/** Pricing of a token: in USD, or at a growing rate relative to another token. */
interface TokenSpec {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** A well-known mint; others get a generated address. */
  readonly mint?: string;
  /** USD; for a token with a base, units of the base per token. */
  readonly price: number;
  /** Largest price movement in parts per million, up or down; 0 for the rate of a token with a base. */
  readonly swingPpm: number;
  /** Symbol of the base token, and the yearly growth of the rate in parts per million. */
  readonly base?: readonly [symbol: string, growthPpm: number];
  /** Set for a Token-2022 mint: its transfer fee in basis points, or null without that extension. */
  readonly token2022?: { readonly transferFeeBps: number | null };
}

const SPECS: readonly TokenSpec[] = [
  { symbol: 'SOL', name: 'Wrapped SOL', decimals: 9, mint: WRAPPED_SOL_MINT, price: 168, swingPpm: 320_000 },
  {
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    price: 1,
    swingPpm: 400,
  },
  {
    symbol: 'USDT',
    name: 'USDT',
    decimals: 6,
    mint: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
    price: 0.9996,
    swingPpm: 700,
  },
  {
    symbol: 'mSOL',
    name: 'Marinade Staked SOL',
    decimals: 9,
    mint: 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So',
    price: 1.08,
    swingPpm: 0,
    base: ['SOL', 61_000],
  },
  {
    symbol: 'jitoSOL',
    name: 'Jito Staked SOL',
    decimals: 9,
    mint: 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn',
    price: 1.01,
    swingPpm: 0,
    base: ['SOL', 74_000],
  },
  {
    symbol: 'hbSOL',
    name: 'Harbor Staked SOL',
    decimals: 9,
    price: 1.03,
    swingPpm: 0,
    base: ['SOL', 68_000],
  },
  { symbol: 'tdSOL', name: 'Tide Staked SOL', decimals: 9, price: 1.0, swingPpm: 0, base: ['SOL', 70_500] },
  {
    symbol: 'lgSOL',
    name: 'Lagoon Staked SOL',
    decimals: 9,
    price: 1.015,
    swingPpm: 0,
    base: ['SOL', 79_000],
  },
  { symbol: 'wBTC', name: 'Wrapped BTC', decimals: 8, price: 96_500, swingPpm: 240_000 },
  { symbol: 'wETH', name: 'Wrapped Ether', decimals: 8, price: 3_150, swingPpm: 290_000 },
  { symbol: 'cvBTC', name: 'Cove BTC', decimals: 8, price: 1.0, swingPpm: 0, base: ['wBTC', 4_000] },
  {
    symbol: 'HUSD',
    name: 'Harbor USD',
    decimals: 6,
    price: 1.0001,
    swingPpm: 500,
    token2022: { transferFeeBps: null },
  },
  {
    symbol: 'EURK',
    name: 'Keel Euro',
    decimals: 6,
    price: 1.11,
    swingPpm: 45_000,
    token2022: { transferFeeBps: 0 },
  },
  { symbol: 'sDOL', name: 'Synthetic Dollar', decimals: 9, price: 0.9998, swingPpm: 900 },
  {
    symbol: 'ssDOL',
    name: 'Staked Synthetic Dollar',
    decimals: 9,
    price: 1.02,
    swingPpm: 0,
    base: ['sDOL', 88_000],
  },
  {
    symbol: 'tNOTE',
    name: 'Treasury Note Token',
    decimals: 6,
    price: 1.01,
    swingPpm: 0,
    base: ['USDC', 42_000],
  },
  { symbol: 'PLP', name: 'Perps Liquidity Pool', decimals: 6, price: 4.1, swingPpm: 150_000 },
  { symbol: 'REEF', name: 'Reef', decimals: 6, price: 0.62, swingPpm: 420_000 },
  { symbol: 'BRINE', name: 'Brine', decimals: 5, price: 0.0000214, swingPpm: 480_000 },
  { symbol: 'KELP', name: 'Kelp', decimals: 9, price: 0.31, swingPpm: 420_000 },
  { symbol: 'CORAL', name: 'Coral', decimals: 6, price: 2.4, swingPpm: 380_000 },
  {
    symbol: 'BUOY',
    name: 'Buoy',
    decimals: 6,
    price: 0.084,
    swingPpm: 450_000,
    token2022: { transferFeeBps: null },
  },
  { symbol: 'TIDE', name: 'Tide', decimals: 6, price: 0.045, swingPpm: 400_000 },
  {
    symbol: 'TOLL',
    name: 'Toll',
    decimals: 9,
    price: 0.5,
    swingPpm: 300_000,
    token2022: { transferFeeBps: 100 },
  },
];

const PRICE_EXPONENT = 8;
const SMALL_PRICE_EXPONENT = 14;
const RATE_EXPONENT = 10;
/** The first entry of the price account that is used; those before it stay empty. */
const FIRST_FEED = 3;

/** All tokens in a fixed order; reserves and vaults refer to them by symbol. */
export function createTokens(seed: string): Token[] {
  const tokens: Token[] = [];
  const minter = faucetKeyPair(seed).address;
  SPECS.forEach((spec, index) => {
    const exponent =
      spec.base === undefined ? (spec.price < 0.01 ? SMALL_PRICE_EXPONENT : PRICE_EXPONENT) : RATE_EXPONENT;
    const base = spec.base === undefined ? null : tokenOf(tokens, spec.base[0]);
    tokens.push({
      symbol: spec.symbol,
      name: spec.name,
      mint: createMint(seed, spec, minter),
      feed: {
        index: FIRST_FEED + index,
        exponent,
        start: BigInt(Math.round(spec.price * 10 ** exponent)),
        swingPpm: spec.swingPpm,
        growthPpm: spec.base?.[1] ?? 0,
      },
      base,
    });
  });
  return tokens;
}

function createMint(seed: string, spec: TokenSpec, minter: Address): MintModel {
  const address = (spec.mint as Address | undefined) ?? labelledAddress(seed, 'mint', spec.symbol);
  const authority =
    address === WRAPPED_SOL_MINT ? null : labelledAddress(seed, 'mint-authority', spec.symbol);
  return {
    address,
    decimals: spec.decimals,
    program: spec.token2022 === undefined ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM,
    authority: authority === null ? null : minter,
    freezeAuthority: spec.base === undefined ? authority : null,
    supply: 0n,
    chargesTransferFees: (spec.token2022?.transferFeeBps ?? null) !== null,
    extensions:
      spec.token2022 === undefined || authority === null
        ? []
        : mintExtensions(address, authority, spec.name, spec.symbol, spec.token2022.transferFeeBps),
  };
}

export function tokenOf(tokens: readonly Token[], symbol: string): Token {
  return itemAt(
    tokens,
    tokens.findIndex((token) => token.symbol === symbol),
  );
}
