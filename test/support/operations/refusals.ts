import type { Refusal } from './operation-row.ts';
import type { Subjects } from './subjects.ts';

/** The answer to invalid input. */
export const wrong = { status: 400, code: 'BAD_REQUEST' } as const;

/** @param at the invalid parameter */
export const badRequest = (name: string, url: string, at: string): Refusal => ({
  name,
  ask: { url },
  ...wrong,
  at,
});

/** Invalid `env` values of an operation that documents 400. */
export const wrongEnv = (url: string, status = 400): Refusal[] => [
  {
    name: 'another cluster',
    ask: { url: `${url}?env=mainnet-beta` },
    status,
    code: 'CLUSTER_NOT_SERVED',
  },
  {
    name: 'no cluster',
    ask: { url: `${url}?env=moon` },
    status,
    code: 'BAD_REQUEST',
    ...(status === 400 ? { at: 'env' } : {}),
  },
];

/** An obligation in a market: of what is none, and of another market. @param invalid the answer to invalid input */
export function notThere(
  { markets, addresses: { market, obligation, emptyWallet, vault } }: Subjects,
  urlOf: (market: string, obligation: string) => string,
  invalid: Pick<Refusal, 'status' | 'code'>,
): Refusal[] {
  const { status } = invalid;
  return [
    {
      name: 'a market that is none',
      ask: { url: urlOf(emptyWallet, obligation) },
      status,
      code: 'KLEND_MARKET_NOT_FOUND',
    },
    ...[emptyWallet, vault].map((each) => ({
      name: `no obligation at ${each}`,
      ask: { url: urlOf(market, each) },
      status,
      code: 'KLEND_OBLIGATION_NOT_FOUND',
    })),
    ...markets
      .filter((each) => each !== market)
      .map((each) => ({ name: 'another market', ask: { url: urlOf(each, obligation) }, ...invalid })),
  ];
}
