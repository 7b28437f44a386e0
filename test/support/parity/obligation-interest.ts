import type { ParityRow } from './parity-row.ts';

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

function row(what: string, field: 'earned' | 'paid', totals: string): ParityRow {
  return {
    path: `/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/${what}`,
    cases: ({ obligations }) =>
      obligations.slice(0, 8).flatMap(({ address, market }) => {
        const url = `/v2/svc-market/${market}/obligations/${address}/${what}`;
        return [
          { url, variables: { address } },
          {
            url: `${url}?start=${RANGE.start}&end=${RANGE.end}`,
            variables: { address, range: RANGE },
          },
        ];
      }),
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

export const OBLIGATION_INTEREST_PARITY: readonly ParityRow[] = [
  row('interest-fees', 'earned', 'totalFeesEarnedObligation'),
  row('interest-paid', 'paid', 'totalFeesPaidObligation'),
];
