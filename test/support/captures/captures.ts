import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CaptureShape } from './capture-shape.ts';

/** An answer of the live service that a public repository holds. */
export interface Capture {
  /** Name of its file, and of the file with its shape. */
  readonly name: string;
  /** The operation that it answers, as this gateway names it. */
  readonly path: string;
  /** Paths that our answers do not have, and why. */
  readonly without?: Readonly<Record<string, string>>;
  /** Paths without a value in the recorded test world, which is six weeks old and has no stakes in other farms. */
  readonly unseen?: readonly string[];
}

const RENAMED_PADDING = 'padding that newer releases of the lending program use and name';
const CAMEL_CASE = 'the live service spells it in camel case now';

export const CAPTURES: readonly Capture[] = [
  {
    name: 'obligations',
    path: '/svc-market/{marketPubkey}/users/{userPubkey}/obligations',
    without: {
      '$[].market.state.padding2': RENAMED_PADDING,
      '$[].state.borrows[].fixedTermBorrowRolloverConfig.alignmentPadding': RENAMED_PADDING,
      '$[].state.lastUpdate.placeholder': RENAMED_PADDING,
    },
  },
  {
    name: 'reserve-stats',
    path: '/reserves/{pubkey}/stats',
    unseen: [
      ...['supplyApy', 'borrowApy'].flatMap((name) =>
        ['60d', '90d', '180d'].map((span) => `$.${name}.avg${span}`),
      ),
      ...['90d', '180d', '365d'].map((span) => `$.utilization.avg${span}`),
    ],
  },
  { name: 'oracle-prices', path: '/oracles/prices' },
  { name: 'prices', path: '/prices' },
  { name: 'prices-history', path: '/prices/history' },
  {
    name: 'lending-bulk-transactions',
    path: '/v2/svc-market/{pubkey}/transactions',
    without: {
      '$.paginationToken': 'absent on the last page',
      ...Object.fromEntries(
        ['liquidityTokenPrice', 'liquidityUsdValue', 'solPrice'].map((name) => [
          `$.result[].ixs[].${name}`,
          'absent where no price was recorded at the time',
        ]),
      ),
    },
  },
  { name: 'reserves-metrics', path: '/svc-market/{pubkey}/reserves/metrics' },
  { name: 'account-data', path: '/svc-market/reserves/account-data' },
  { name: 'staking-yields', path: '/v2/staking-yields' },
  { name: 'staking-yields-median', path: '/v2/staking-yields/median' },
  {
    name: 'epochs',
    path: '/epochs',
    without: {
      '$[].end_block_time': CAMEL_CASE,
      '$[].first_slot': CAMEL_CASE,
      '$[].last_slot': CAMEL_CASE,
      '$[].start_block_time': CAMEL_CASE,
    },
  },
  { name: 'yield-history', path: '/yields/{source}/history' },
  {
    name: 'market-history',
    path: '/svc-market/{pubkey}/metrics/history',
    without: { '$[].metrics.tvl': 'the live service has depositTVL and borrowTVL now' },
  },
  {
    name: 'borrow-and-staking-apys',
    path: '/svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/history',
  },
  { name: 'documented-reserve-metrics', path: '/svc-market/{pubkey}/reserves/metrics' },
  { name: 'leverage-metrics', path: '/svc-market/{pubkey}/leverage/metrics' },
  {
    name: 'obligation-pnl',
    path: '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/pnl',
  },
  { name: 'vault-metrics', path: '/kvaults/vaults/{pubkey}/metrics' },
  { name: 'vault-metrics-history', path: '/kvaults/vaults/{pubkey}/metrics/history' },
  { name: 'vault-allocation-volume', path: '/kvaults/vaults/{pubkey}/allocation-volume/history' },
  {
    name: 'user-vault-metrics-history',
    path: '/kvaults/users/{userPubkey}/vaults/{vaultPubkey}/metrics/history',
  },
  { name: 'user-metrics-history', path: '/kvaults/users/{pubkey}/metrics/history' },
  { name: 'user-positions', path: '/kvaults/users/{pubkey}/positions' },
  { name: 'vault-state', path: '/kvaults/vaults/{pubkey}' },
  {
    name: 'portfolio',
    path: '/portfolio/{wallet}',
    unseen: [
      '$.staking[]',
      ...['amount', 'farm', 'mint', 'price', 'symbol', 'value'].map((name) => `$.staking[].${name}`),
    ],
  },
  { name: 'user-vault-pnl', path: '/kvaults/users/{userPubkey}/vaults/{vaultPubkey}/pnl' },
  { name: 'user-vault-pnl-history', path: '/kvaults/users/{userPubkey}/vaults/{vaultPubkey}/pnl/history' },
];

/** Captures are stored outside the repository: beside it, or in the folder that LIVE_CAPTURES names. */
const folder =
  process.env.LIVE_CAPTURES === undefined
    ? fileURLToPath(new URL('../../../../shared/captures/', import.meta.url))
    : `${process.env.LIVE_CAPTURES}/`;

const fileOf = ({ name }: Capture) => `${folder}${name}.json`;

export const hasCapture = (capture: Capture): boolean => existsSync(fileOf(capture));

export const readCapture = (capture: Capture): unknown => JSON.parse(readFileSync(fileOf(capture), 'utf8'));

/** The file with the shape of a capture. It has no text of the capture. */
export const shapeFile = ({ name }: Capture): string =>
  fileURLToPath(new URL(`shapes/${name}.json`, import.meta.url));

export const readShape = (capture: Capture): CaptureShape =>
  JSON.parse(readFileSync(shapeFile(capture), 'utf8')) as CaptureShape;
