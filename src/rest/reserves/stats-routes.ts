import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { marketInView, reservesOfMarket } from '../../services/markets/markets.ts';
import type { ReserveRecord } from '../../services/request/records.ts';
import type { Session } from '../../services/request/session.ts';
import { reserveInView } from '../../services/reserves/reserves.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { InvalidInput } from '../operation/invalid-input.ts';
import { type Operation, operation } from '../operation/operation.ts';
import { reserveStats } from './stats-answers.ts';
import { ReserveStatsBatch, ReserveStatsBatchQuery, ReserveStatsParams } from './stats-schemas.ts';
import { ReserveStats } from './stats-shape.ts';

const common = { method: 'get', tag: 'Reserves', family: READ_ERRORS, holds: 'view' } as const;

const FIELDS =
  'address token { mint proofOfReserves { verified address } } collateralToken { mint } terms { rate termSeconds maturesAt } status interestRateBasis fees { hostFixedRate protocolTake } supplyApy { base farmRewards reserveRewards incentives total rewards { token { mint } farmAddress apy tokensPerSecond } } borrowApy { base farmRewards incentives total rewards { token { mint } farmAddress apy tokensPerSecond } } averageInterestApy(over) { supply borrow } utilization averageUtilization(over) underlyingApy { apy observedAt token { mint } } autodeleverage { enabled marginCallSeconds thresholdDecreaseBpsPerDay bonusIncreaseBpsPerDay minBonusBps } market { autodeleverage { enabled individualMarginCallSeconds } closeFactor } rewards { depositReserve { address } borrowReserve { address } token { mint } apy tokensPerSecond } available { amount usd } borrowable { amount usd } supplied { amount usd } borrowed { amount usd } risk { liquidationLtv maxLtv borrowFactor minLiquidationBonus } limits { deposit { amount } borrow { amount } utilizationBorrowBlock } withdrawalCaps { deposit { capacity { amount } currentTotal { amount } intervalSeconds intervalStartedAt } debt { capacity { amount } currentTotal { amount } intervalSeconds intervalStartedAt } } borrowCaps { outsideElevationGroups { capacity { amount } currentTotal { amount } } againstCollateral { collateralReserve { address } elevationGroup capacity { amount } currentTotal { amount } } }';

/** All reserves of a market, or those that the request names, each once. With both, each must belong to the market. */
function requestedReserves(
  { view }: Session,
  market: Address | undefined,
  addresses: readonly Address[] | undefined,
): readonly ReserveRecord[] {
  const within = market === undefined ? null : marketInView(view, market);
  if (addresses === undefined) return within === null ? [] : reservesOfMarket(view, within);
  const reserves = [...new Set(addresses)].map((address) => reserveInView(view, address));
  const issues = reserves
    .filter(({ value }) => within !== null && value.lendingMarket !== within.address)
    .map(({ address, value }) => {
      const context = { reserve: address, market: within?.address ?? '', actual: value.lendingMarket };
      const { message } = new SluiceError('RESERVE_NOT_IN_MARKET', context);
      return { code: 'custom', path: ['reserve', addresses.indexOf(address)], message };
    });
  if (issues.length > 0) throw new InvalidInput(issues);
  return reserves;
}

export const RESERVE_STATS_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'getReserveStats',
    path: '/reserves/{pubkey}/stats',
    summary: 'Current statistics of a reserve',
    description:
      'Rates now and on average, rewards, liquidity, limits and risk. An unknown reserve is a 400 with KLEND_RESERVE_NOT_FOUND.',
    graph: `query { reserve(address) { ${FIELDS} } }`,
    params: ReserveStatsParams,
    response: ReserveStats,
    example: ({ depositReserve }) => ({ params: { pubkey: depositReserve } }),
    answer: async (call, { params }) =>
      await reserveStats(call, reserveInView(call.session.view, params.pubkey)),
  }),
  operation({
    ...common,
    id: 'listReserveStats',
    path: '/reserves/batch/stats',
    summary: 'Current statistics of many reserves',
    description:
      'An object by address of the reserve. Pass `market` for all reserves of a market, or up to 100 addresses in `reserve`. With both, all reserves must belong to the market; without either the request is invalid. An unknown market or reserve is a 400.',
    graph: `query { reserves(filter first) { nodes { ${FIELDS} } } }`,
    query: ReserveStatsBatchQuery,
    response: ReserveStatsBatch,
    example: ({ depositReserve, borrowReserve }) => ({
      query: { reserve: [depositReserve, borrowReserve] },
    }),
    async answer(call, { query: { market, reserve } }) {
      const reserves = requestedReserves(call.session, market, reserve);
      const stats = reserves.map(async (each) => [each.address, await reserveStats(call, each)] as const);
      return Object.fromEntries(await Promise.all(stats));
    },
  }),
];
