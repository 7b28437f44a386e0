import type { Shape } from '../contract/field-shapes.ts';
import type { OperationRow, Refusal } from './operation-row.ts';
import { badRequest, notThere, wrong, wrongEnv } from './refusals.ts';

/** An obligation of another market is there: asking for it in this one is a wrong input. */
const withOwnStatus = (refusal: Refusal): Refusal =>
  refusal.name === 'another market' ? { ...refusal, ...wrong } : refusal;

const TOTALS: Shape = { map: { fields: { ts: 'epochMs', solFees: 'decimal', usdFees: 'decimal' } } };

const DAYS: Shape = {
  map: {
    list: {
      map: { fields: { ts: 'epochMs', solFees: 'decimal', usdFees: 'decimal', nativeFees: 'decimal' } },
    },
  },
};

interface Amount {
  readonly amount: string;
  readonly usd: string;
  readonly sol: string;
  readonly token: { readonly mint: string };
}

interface TokenInterest {
  readonly days: readonly { readonly timestamp: string; readonly amount: Amount }[];
  readonly total: Amount;
}

const AMOUNT = '{ amount usd sol token { mint } }';

const RANGE = { start: '2026-05-20T00:00:00.000Z', end: '2026-05-28T12:00:00.000Z' };

const fees = (timestamp: string | undefined, { usd, sol }: Amount) => ({
  ts: Date.parse(timestamp ?? ''),
  usdFees: usd,
  solFees: sol,
});

function row(what: string, field: 'earned' | 'paid', totals: string): OperationRow {
  const of = (market: string, obligation: string) =>
    `/v2/svc-market/${market}/obligations/${obligation}/${what}`;
  return {
    method: 'get',
    path: of('{marketPubkey}', '{obligationPubkey}'),
    answer: { fields: { [totals]: TOTALS, historicalFeesObligation: DAYS } },
    requests: ({ obligations, addresses: { market, obligation } }) => [
      ...obligations.slice(0, 10).flatMap((each) => [
        { url: of(each.market, each.address), variables: { address: each.address } },
        {
          url: `${of(each.market, each.address)}?start=${RANGE.start}&end=${RANGE.end}`,
          variables: { address: each.address, range: RANGE },
        },
      ]),
      ...[
        '?env=localnet',
        '?start=2026-05-20&end=2026-05-28T12:00Z',
        '?start=1780099200000',
        '?start=2020-01-01&end=2021-01-01',
      ].map((query) => ({ url: `${of(market, obligation)}${query}` })),
    ],
    refusals: (subjects) => {
      const { market, obligation } = subjects.addresses;
      return [
        badRequest('no market', of('nonsense', obligation), 'marketPubkey'),
        badRequest('no obligation', of(market, 'nonsense'), 'obligationPubkey'),
        ...notThere(subjects, of, { status: 404 }).map(withOwnStatus),
        badRequest('no program', `${of(market, obligation)}?programId=nonsense`, 'programId'),
        {
          name: 'another program',
          ask: { url: `${of(market, obligation)}?programId=${subjects.addresses.wallet}` },
          ...wrong,
        },
        badRequest('no date', `${of(market, obligation)}?start=yesterday`, 'start'),
        badRequest('reversed', `${of(market, obligation)}?start=2026-02-01&end=2026-01-01`, 'start'),
        ...wrongEnv(of(market, obligation)),
      ];
    },
    async twin(graph, variables) {
      const { obligation } = await graph<{
        obligation: { interest: { list: readonly TokenInterest[] } };
      }>(
        `query ($address: Address!, $range: TimeRange) { obligation(address: $address) {
          interest(range: $range) { list: ${field} { days { timestamp amount ${AMOUNT} } total ${AMOUNT} } }
        } }`,
        variables,
      );
      const { list } = obligation.interest;
      return {
        [totals]: Object.fromEntries(
          list.map(({ days, total }) => [total.token.mint, fees(days.at(-1)?.timestamp, total)]),
        ),
        historicalFeesObligation: Object.fromEntries(
          list.map(({ days, total }) => [
            total.token.mint,
            days.map(({ timestamp, amount }) => ({
              [timestamp]: { ...fees(timestamp, amount), nativeFees: amount.amount },
            })),
          ]),
        ),
      };
    },
  };
}

export const OBLIGATION_INTEREST_ROWS: readonly OperationRow[] = [
  row('interest-fees', 'earned', 'totalFeesEarnedObligation'),
  row('interest-paid', 'paid', 'totalFeesPaidObligation'),
];
