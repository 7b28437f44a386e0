import type { z } from '@hono/zod-openapi';
import { obligationInterest, type TokenInterest } from '../../services/history/obligations/interest.ts';
import { timelineInMarket } from '../../services/history/obligations/timeline.ts';
import { LOOKUP_ERRORS } from '../operation/error-shapes.ts';
import { type Call, type Operation, operation } from '../operation/operation.ts';
import { checkedRange } from '../values/date.ts';
import { decimal } from '../values/decimal.ts';
import { ObligationParams } from './history-schemas.ts';
import {
  ObligationInterestEarned,
  ObligationInterestPaid,
  ObligationInterestQuery,
} from './interest-schemas.ts';

const BY_DAY =
  'By token and UTC day, for the days that start in the range. The current day ends now. Computed from the transactions of the obligation and the recorded rates of its reserves, valued at the prices at the end of each day; a day with an unknown rate or price is omitted. Closed obligations are included. `X-Complete: false` says that transactions are missing.';
const SERIES =
  '{ days { timestamp amount { amount usd sol token { mint } } } total { usd sol token { mint } } }';

const common = {
  method: 'get',
  tag: 'Lending',
  family: LOOKUP_ERRORS,
  holds: 'never',
  params: ObligationParams,
  query: ObligationInterestQuery,
  example: ({ market, obligation }: { readonly market: string; readonly obligation: string }) => ({
    params: { marketPubkey: market, obligationPubkey: obligation },
  }),
} as const;

interface Input {
  readonly params: z.output<typeof ObligationParams>;
  readonly query: z.output<typeof ObligationInterestQuery>;
}

async function interestOf({ platform, session }: Call, { params, query }: Input) {
  platform.requireCluster(query.env);
  platform.requireLendingProgram(query.programId);
  const range = checkedRange(session, query);
  const { marketPubkey, obligationPubkey } = params;
  const { timeline } = await timelineInMarket(platform, session, marketPubkey, obligationPubkey);
  return await obligationInterest(platform, session, timeline, range);
}

function totalsOf(interest: readonly TokenInterest[]) {
  return Object.fromEntries(
    interest.map(({ mint, days, total }) => [
      mint,
      {
        ts: days.at(-1)?.day.getTime() ?? 0,
        solFees: decimal(total.sol),
        usdFees: decimal(total.usd),
      },
    ]),
  );
}

function daysOf(interest: readonly TokenInterest[]) {
  return Object.fromEntries(
    interest.map(({ mint, days }) => [
      mint,
      days.map(({ day, amount }) => ({
        [day.toISOString()]: {
          ts: day.getTime(),
          solFees: decimal(amount.sol),
          usdFees: decimal(amount.usd),
          nativeFees: decimal(amount.amount),
        },
      })),
    ]),
  );
}

export const OBLIGATION_INTEREST_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'getObligationInterestEarned',
    path: '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-fees',
    summary: 'Interest earned on the deposits of one obligation',
    description: BY_DAY,
    graph: `query { obligation(address) { interest(range) { earned ${SERIES} complete } } }`,
    response: ObligationInterestEarned,
    async answer(call, input) {
      const { earned } = await interestOf(call, input);
      return { totalFeesEarnedObligation: totalsOf(earned), historicalFeesObligation: daysOf(earned) };
    },
  }),
  operation({
    ...common,
    id: 'getObligationInterestPaid',
    path: '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-paid',
    summary: 'Interest that accrued on the debts of one obligation',
    description: BY_DAY,
    graph: `query { obligation(address) { interest(range) { paid ${SERIES} complete } } }`,
    response: ObligationInterestPaid,
    async answer(call, input) {
      const { paid } = await interestOf(call, input);
      return { totalFeesPaidObligation: totalsOf(paid), historicalFeesObligation: daysOf(paid) };
    },
  }),
];
