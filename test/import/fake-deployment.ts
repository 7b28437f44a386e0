import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { named } from '../support/history/samples.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const MARKET = named('import-market');
export const RESERVES = [named('import-reserve-a'), named('import-reserve-b')] as const;
export const VAULT = named('import-vault');
/** Has no history. */
export const NEW_VAULT = named('import-vault-new');
export const REWARD_MINT = named('import-reward-mint');

/** The first hour, and the default current hour. */
export const FIRST = Date.UTC(2026, 2, 1);
export const RUNNING = Date.UTC(2026, 3, 20, 12);

export interface Fault {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface FakeDeployment {
  readonly url: string;
  /** Path and query of every request, in order. */
  readonly requests: string[];
  /** Arrival time of each request in milliseconds. */
  readonly times: number[];
  /** Answers in place of the contract; undefined lets the contract answer. */
  fault: (request: string, index: number) => Fault | undefined;
  /** Before this moment only days are available, no hours. */
  hoursSince: number;
  /** Start of the current hour. */
  running: number;
  /** Path segment of the market operations. */
  segment: string;
  /** Changes answers before they are sent. */
  reshape: (path: string, body: unknown) => unknown;
  close(): Promise<void>;
}

/** A deployment of the contract with a synthetic history: 50 days in which every number is different. */
export async function startFakeDeployment(): Promise<FakeDeployment> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    fake.times.push(performance.now());
    const fault = fake.fault(path, fake.requests.push(path) - 1);
    if (fault !== undefined) return send(response, fault);
    const known = fake.segment === 'svc-market' || !path.includes('/svc-market');
    const asked = path.replace(`/${fake.segment}`, '/svc-market');
    const body = known ? answerTo(new URL(asked, 'http://fake'), fake) : undefined;
    if (body === undefined) return send(response, { status: 404 });
    return send(response, { status: 200, body: JSON.stringify(fake.reshape(path, body)) });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeDeployment = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    times: [],
    fault: () => undefined,
    hoursSince: FIRST,
    running: RUNNING,
    segment: 'svc-market',
    reshape: (_, body) => body,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

function send(response: ServerResponse, { status, headers = {}, body = '{"error":"no"}' }: Fault): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

type Availability = Pick<FakeDeployment, 'hoursSince' | 'running'>;

function answerTo(url: URL, available: Availability): unknown {
  const range = {
    start: Date.parse(url.searchParams.get('start') ?? '1970-01-01'),
    end: Date.parse(url.searchParams.get('end') ?? '2100-01-01'),
  };
  if (url.pathname === '/v2/svc-market') return [{ name: 'M', lendingMarket: MARKET }];
  if (url.pathname === `/svc-market/${MARKET}/reserves/metrics`)
    return RESERVES.map((reserve) => ({ reserve }));
  if (url.pathname === '/kvaults/vaults')
    return [VAULT, NEW_VAULT].map((address) => ({ address, state: {} }));
  if (url.pathname === `/svc-market/${MARKET}/metrics/history`)
    return bucketsIn(range, available).map(marketPoint);
  if (url.pathname === `/kvaults/vaults/${VAULT}/metrics/history`)
    return bucketsIn(range, available).map(vaultPoint);
  if (url.pathname === `/kvaults/vaults/${NEW_VAULT}/metrics/history`) return [];
  const reserve = RESERVES.findIndex(
    (each) => url.pathname === `/svc-market/${MARKET}/reserves/${each}/metrics/history`,
  );
  if (reserve < 0) return undefined;
  const frequency = url.searchParams.get('frequency') ?? 'hour';
  const step = { minute: 60_000, hour: HOUR_MS, day: DAY_MS }[frequency] ?? HOUR_MS;
  const labels = labelsOf(range, step, step === DAY_MS ? FIRST : available.hoursSince, available.running);
  return {
    reserve: RESERVES[reserve],
    market: MARKET,
    history: labels.map((label) => reservePoint(reserve, { label, step })),
  };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Bucket {
  readonly label: number;
  readonly step: number;
}

/** Days if the range covers more than 31 days of history or begins before the first hour; otherwise hours. */
function bucketsIn(range: Range, { hoursSince, running }: Availability): Bucket[] {
  const start = Math.max(range.start, FIRST);
  const days = Math.min(range.end, running + HOUR_MS) - start > 31 * DAY_MS || start < hoursSince;
  const step = days ? DAY_MS : HOUR_MS;
  return labelsOf(range, step, FIRST, running).map((label) => ({ label, step }));
}

function labelsOf({ start, end }: Range, step: number, since: number, running: number): number[] {
  const labels: number[] = [];
  const first = Math.ceil(Math.max(start, since) / step) * step;
  for (let label = first; label < Math.min(end, running + 1); label += step) labels.push(label);
  return labels;
}

/** A number that differs in each bucket, with more digits than a double can hold. */
export function numberOf({ label, step }: Bucket, salt: number): string {
  const index = Math.round((label - FIRST) / step);
  return `${index + 1}.${salt}${step === DAY_MS ? '7' : '3'}00000000000000000000001`;
}

const small = (bucket: Bucket, salt: number) => `0.${numberOf(bucket, salt).replace('.', '')}`;

export function vaultPoint(bucket: Bucket) {
  // Deployments write either form; this one alternates between them.
  const isEven = Math.round((bucket.label - FIRST) / bucket.step) % 2 === 0;
  return {
    timestamp: isEven ? bucket.label : new Date(bucket.label).toISOString(),
    tvl: numberOf(bucket, 1),
    solTvl: numberOf(bucket, 2),
    apy: small(bucket, 1),
    apyTheoretical: small(bucket, 2),
    apyActual: small(bucket, 3),
    apyFarmRewards: small(bucket, 4),
    apyReservesIncentives: '0',
    apyIncentives: '-0.01',
    sharePrice: numberOf(bucket, 3),
    interest: numberOf(bucket, 4),
    interestUsd: numberOf(bucket, 5),
    interestSol: numberOf(bucket, 6),
    reserves: [
      {
        pubkey: RESERVES[0],
        supplyApy: small(bucket, 6),
        rewardsApy: '0.02',
        allocationRatio: '0.75',
        rewardTokens: [{ tokenMint: REWARD_MINT, apy: '0.02' }],
      },
    ],
    vaultRewards: [{ tokenMint: REWARD_MINT, apy: small(bucket, 4) }],
  };
}

export function reservePoint(reserve: number, bucket: Bucket) {
  const salt = reserve * 10;
  return {
    timestamp: new Date(bucket.label).toISOString(),
    metrics: {
      status: 'Active',
      symbol: 'USDC',
      mintAddress: named('import-mint'),
      decimals: 6,
      loanToValue: 0.8,
      liquidationThreshold: 0.85,
      borrowFactor: 100,
      protocolTakeRate: 0.1,
      minLiquidationBonus: 0.02,
      maxLiquidationBonus: 0.1,
      reserveDepositLimit: '18446744073709551615',
      reserveBorrowLimit: '1000',
      hostFixedInterestRate: '0.01',
      borrowLimitOutsideElevationGroup: '18446744073709.551615',
      borrowLimitAgainstCollateralInElevationGroups: ['0', '12.5'],
      borrowCurve: [
        [0, 1e-7],
        [1, 1.5],
      ],
      borrowInterestAPY: Number(small(bucket, salt + 5)),
      supplyInterestAPY: Number(small(bucket, salt + 6)),
      totalSupply: numberOf(bucket, salt + 1),
      totalBorrows: numberOf(bucket, salt + 2),
      totalLiquidity: numberOf(bucket, salt + 3),
      depositTvl: '0',
      borrowTvl: '0',
      assetPriceUSD: `1.${small(bucket, 1).slice(2)}`,
      assetOraclePriceUSD: `1.${small(bucket, 2).slice(2)}`,
      exchangeRate: '0.95',
      mintTotalSupply: numberOf(bucket, salt + 4),
      accumulatedProtocolFees: '12.5',
      borrowOutsideElevationGroup: '100',
      borrowedAgainstCollateralInElevationGroups: ['1', '2.5'],
      borrowLimitCrossedTimestamp: 0,
      depositLimitCrossedTimestamp: 1_700_000_000,
    },
  };
}

export function marketPoint(bucket: Bucket) {
  return {
    market: MARKET,
    timestamp: new Date(bucket.label).toISOString(),
    metrics: {
      depositTVL: numberOf(bucket, 1),
      borrowTVL: numberOf(bucket, 2),
      obligations: Math.round((bucket.label - FIRST) / bucket.step),
    },
  };
}
