const LIQUIDITY = 'liquidity strategies';
const POOLS = 'the data on pools of exchanges';
const SWAPS = 'swaps';
const LIMIT_ORDERS = 'limit orders between tokens';
const POINTS = 'points and their leaderboard';

/** Products of the live service by the first segment of their paths, after a version. */
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['strategies', LIQUIDITY],
  ['shareholders', LIQUIDITY],
  ['owners', LIQUIDITY],
  ['ktokens', LIQUIDITY],
  ['simulator', POOLS],
  ['whirlpools', POOLS],
  ['raydium', POOLS],
  ['points', POINTS],
  ['limo', LIMIT_ORDERS],
  ['kswap', SWAPS],
]);

/** Paths of a product below a segment that this gateway has too. */
const LEADERBOARD = '/users/leaderboard';
/** The swaps of a deployment have its name before this. */
const SWAP_SEGMENT = /^[a-z]+-swap$/;

/** The product of the live service that a path belongs to and that is not served here; null for any other path. */
export function otherProduct(path: string): string | null {
  if (path === LEADERBOARD) return POINTS;
  const [first = '', second = ''] = path.split('/').slice(1);
  const segment = /^v\d$/.test(first) ? second : first;
  return SWAP_SEGMENT.test(segment) ? SWAPS : (PRODUCTS.get(segment) ?? null);
}
