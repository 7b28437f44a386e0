import type { OperationRequest, Refusal, Variables } from './operation-row.ts';
import { badRequest } from './refusals.ts';

/** Whether REST includes a point at `end`. The graph never does. */
export type RangeEnd = 'exclusive' | 'inclusive';

/** The same range in REST and GraphQL. `inclusive`: where REST includes its end. */
const COMPARED: readonly {
  readonly query: string;
  readonly range?: object;
  readonly inclusive?: object;
}[] = [
  { query: '' },
  {
    query: '?start=2026-05-30T02:00:00%2B02:00&end=1780228800000',
    range: { start: '2026-05-30', end: '2026-05-31T12:00Z' },
    inclusive: { start: '2026-05-30', end: '2026-05-31T12:00:00.001Z' },
  },
  {
    query: '?start=2026-05-25T00:00:00.000Z&end=2026-05-31T00:00:00.000Z',
    range: { start: '2026-05-25T00:00:00.000Z', end: '2026-05-31T00:00:00.000Z' },
    inclusive: { start: '2026-05-25T00:00:00.000Z', end: '2026-05-31T00:00:00.001Z' },
  },
];

/** Every date format of the contract, and ranges with and without points. */
const OTHERS = [
  '?start=2026-05-30T00:00:00.000Z',
  '?start=2026-05-30T00:00Z&end=2026-05-31',
  '?start=1780099200000',
  '?start=2026-01-01&end=2026-01-01',
  '?start=2020-01-01&end=2021-01-01',
];

/** For reads whose range has no limit. */
export const ALL_TIME = '?start=0&end=2100-01-01';

export const comparedRanges = (
  url: string,
  variables: Variables,
  end: RangeEnd = 'exclusive',
): OperationRequest[] =>
  COMPARED.map(({ query, range, inclusive }) => ({
    url: `${url}${query}`,
    variables: { ...variables, range: end === 'inclusive' ? inclusive : range },
  }));

export const inRanges = (url: string, variables: Variables, end?: RangeEnd): OperationRequest[] => [
  ...comparedRanges(url, variables, end),
  ...OTHERS.map((query) => ({ url: `${url}${query}` })),
];

export const wrongRange = (url: string): Refusal[] => [
  badRequest('no date', `${url}?start=yesterday`, 'start'),
  badRequest('a day that is not', `${url}?end=2026-02-30`, 'end'),
  badRequest('an empty date', `${url}?start=`, 'start'),
  badRequest('reversed', `${url}?start=2026-02-01&end=2026-01-01`, 'start'),
  badRequest('in the future', `${url}?start=2100-01-01`, 'start'),
];
