import { BACKTEST_LIMITS, type BacktestLimit } from '../../services/history/backtest/limits.ts';
import type { Growth, WeightsOutcome as Outcome } from '../../services/history/backtest/outcome.ts';
import { backtestRangeProblem } from '../../services/history/backtest/request.ts';
import { vaultBacktest } from '../../services/history/backtest/vault-backtest.ts';
import { LOOKUP_ERRORS } from '../operation/error-shapes.ts';
import { InvalidInput } from '../operation/invalid-input.ts';
import { operation } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import { VaultBacktestAnswer, VaultBacktestBody, type WeightsOutcome } from './backtest-schemas.ts';
import { VaultParams } from './schemas.ts';

const growthAnswer = ({ growth, apy }: Growth) => ({
  growth: decimal(growth),
  ...(apy === null ? {} : { apy: decimal(apy) }),
});

const outcomeAnswer = (outcome: Outcome): AnswerOf<typeof WeightsOutcome> => ({
  ...(outcome.beforeFees === null ? {} : { beforeFees: growthAnswer(outcome.beforeFees) }),
  ...(outcome.afterFees === null ? {} : { afterFees: growthAnswer(outcome.afterFees) }),
  unallocatedWeight: String(outcome.unallocatedWeight),
  unallocatedShare: decimal(outcome.unallocatedShare),
  reserves: outcome.reserves.map((each) => ({
    reserve: each.reserve,
    weight: String(each.weight),
    share: decimal(each.share),
    ...(each.own === null ? {} : { own: growthAnswer(each.own) }),
    ...(each.contribution === null ? {} : { contribution: decimal(each.contribution) }),
    ...(each.recordedSince === null ? {} : { recordedSince: each.recordedSince.toISOString() }),
    gaps: each.gaps.map(({ start, end, bridged }) => ({
      from: start.toISOString(),
      to: end.toISOString(),
      bridged,
    })),
  })),
  ...(outcome.unknown === null ? {} : { unknown: outcome.unknown }),
  ...(outcome.unknownReserve === null ? {} : { unknownReserve: outcome.unknownReserve }),
});

const OUTCOME =
  '{ beforeFees { growth apy } afterFees { growth apy } unallocatedWeight unallocatedShare reserves { reserveAddress weight share own { growth apy } contribution recordedSince gaps { from to bridged } } unknown unknownReserveAddress }';

export const VAULT_BACKTEST = operation({
  id: 'getVaultBacktest',
  method: 'post',
  path: '/kvaults/vaults/{pubkey}/backtest',
  tag: 'Vaults',
  summary: 'Earnings of an earn vault with other weights, over a past range',
  description:
    'Growth of the vault if it had kept the given weights, next to that with its current weights and to that of its shares, all between the same two recorded samples. From recorded exchange rates of the reserves alone. A range has at most 1,096 days. An unknown reserve is a 404 with KLEND_RESERVE_NOT_FOUND, one of another token a 400 with WEIGHT_INVALID.',
  graph: `query { vault(address) { backtest(weights unallocatedWeight range) { from to interval given ${OUTCOME} current ${OUTCOME} recorded { growth { growth apy } tokensPerShareFrom tokensPerShareTo unknown } limits { code message } } } }`,
  family: LOOKUP_ERRORS,
  holds: 'never',
  params: VaultParams,
  body: VaultBacktestBody,
  response: VaultBacktestAnswer,
  example: ({ vault, reserve }) => ({
    params: { pubkey: vault },
    body: { weights: [{ reserve, weight: '100' }], unallocatedWeight: '10' },
  }),
  async answer({ session, platform }, { params, body }) {
    const { weights, unallocatedWeight, start, end } = body;
    const problem = backtestRangeProblem(session.view, { start, end });
    if (problem !== null) throw new InvalidInput([{ code: 'custom', path: ['start'], message: problem }]);
    const vault = await session.load('vault', params.pubkey);
    const given = { weights, unallocatedWeight, range: { start, end } };
    const { from, to, interval, recorded, ...found } = await vaultBacktest(platform, session, vault, given);
    const { growth, tokensPerShareFrom, tokensPerShareTo, unknown } = recorded;
    return {
      ...(from === null ? {} : { from: from.toISOString() }),
      ...(to === null ? {} : { to: to.toISOString() }),
      frequency: interval === 'HOUR' ? ('hour' as const) : ('day' as const),
      given: outcomeAnswer(found.given),
      current: outcomeAnswer(found.current),
      recorded: {
        ...(growth === null ? {} : { growth: growthAnswer(growth) }),
        ...(tokensPerShareFrom === null ? {} : { tokensPerShareFrom: decimal(tokensPerShareFrom) }),
        ...(tokensPerShareTo === null ? {} : { tokensPerShareTo: decimal(tokensPerShareTo) }),
        ...(unknown === null ? {} : { unknown }),
      },
      limits: (Object.keys(BACKTEST_LIMITS) as BacktestLimit[]).map((code) => ({
        code,
        message: BACKTEST_LIMITS[code],
      })),
    };
  },
});
