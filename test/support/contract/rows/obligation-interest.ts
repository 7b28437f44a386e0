import type { Shape } from '../field-shapes.ts';
import type { ContractRow } from './contract-row.ts';
import { wrongEnv } from './earn-users.ts';

const TOTALS: Shape = { map: { fields: { ts: 'epochMs', solFees: 'decimal', usdFees: 'decimal' } } };
const DAYS: Shape = {
  map: {
    list: {
      map: { fields: { ts: 'epochMs', solFees: 'decimal', usdFees: 'decimal', nativeFees: 'decimal' } },
    },
  },
};

const wrong = { status: 400, code: 'BAD_REQUEST' };

function row(what: string, totals: string): ContractRow {
  const url = (market: string, obligation: string) =>
    `/v2/svc-market/${market}/obligations/${obligation}/${what}`;
  return {
    method: 'get',
    path: url('{marketPubkey}', '{obligationPubkey}'),
    answer: { fields: { [totals]: TOTALS, historicalFeesObligation: DAYS } },
    asks: ({ obligations, addresses: { market, obligation } }) => [
      ...obligations.slice(0, 10).map((each) => ({ url: url(each.market, each.address) })),
      ...[
        '?env=localnet',
        '?start=2026-05-20&end=2026-05-28T12:00Z',
        '?start=1780099200000',
        '?start=2020-01-01&end=2021-01-01',
      ].map((query) => ({ url: `${url(market, obligation)}${query}` })),
    ],
    refusals: ({ markets, addresses: { market, obligation, emptyWallet, vault } }) => [
      { name: 'no market', ask: { url: url('nonsense', obligation) }, ...wrong, at: 'marketPubkey' },
      { name: 'no obligation', ask: { url: url(market, 'nonsense') }, ...wrong, at: 'obligationPubkey' },
      {
        name: 'a market that is none',
        ask: { url: url(emptyWallet, obligation) },
        status: 400,
        code: 'KLEND_MARKET_NOT_FOUND',
      },
      ...[emptyWallet, vault].map((each) => ({
        name: `no obligation at ${each}`,
        ask: { url: url(market, each) },
        status: 400,
        code: 'KLEND_OBLIGATION_NOT_FOUND',
      })),
      ...markets
        .filter((each) => each !== market)
        .map((each) => ({ name: 'another market', ask: { url: url(each, obligation) }, ...wrong })),
      {
        name: 'no date',
        ask: { url: `${url(market, obligation)}?start=yesterday` },
        ...wrong,
        at: 'start',
      },
      {
        name: 'reversed',
        ask: { url: `${url(market, obligation)}?start=2026-02-01&end=2026-01-01` },
        ...wrong,
        at: 'start',
      },
      ...wrongEnv(url(market, obligation)),
    ],
  };
}

export const OBLIGATION_INTEREST_ROWS: readonly ContractRow[] = [
  row('interest-fees', 'totalFeesEarnedObligation'),
  row('interest-paid', 'totalFeesPaidObligation'),
];
