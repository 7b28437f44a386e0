import type { ExampleInput, Operation } from '../../../src/rest/operation/operation.ts';
import type { Ask } from '../operations/operation-row.ts';

export type Place = 'params' | 'query' | 'body';
export type Kind = keyof typeof WRONG;

/** One parameter of one operation. */
export interface Parameter {
  readonly operation: Operation;
  readonly place: Place;
  readonly name: string;
  readonly kind: Kind;
  readonly required: boolean;
}

/** A parameter with its number among those of its kind in the same place. */
export interface Ranked extends Parameter {
  readonly row: number;
  readonly rows: number;
}

/** Kind of each parameter in the specification, by its name. */
const KINDS: Readonly<Record<string, Kind>> = {
  ...named('address', 'pubkey', 'userPubkey', 'vaultPubkey', 'marketPubkey', 'reservePubkey'),
  ...named('address', 'obligationPubkey', 'depositReservePubkey', 'borrowReservePubkey'),
  ...named('address', 'mint', 'programId', 'markets', 'wallet', 'market', 'reserve', 'kvault', 'ticket'),
  ...named('text', 'source', 'symbol'),
  ...named('choice', 'env', 'type', 'frequency', 'positionMode', 'sort'),
  ...named('rewardTypes', 'rewardTypes'),
  ...named('switch', 'includeRawJson', 'useLogPrices', 'noPagination'),
  ...named('truth', 'verified', 'useStakeRate', 'useStakeRateForObligation'),
  ...named('date', 'start', 'end'),
  ...named('choice', 'instruction', 'direction', 'productType'),
  ...named('address', 'vaults', 'productIdentifierAddress', 'farmPubkey'),
  ...named('address', 'tokens'),
  ...named('choice', 'kinds', 'products', 'by', 'method', 'format'),
  header: 'truth',
  ...named('addresses', 'addresses', 'userAccounts'),
  ...named('address', 'repayReserve', 'withdrawReserve', 'targetReserve', 'borrowReserve', 'depositReserve'),
  ...named('address', 'newOwner', 'referrer', 'address'),
  ...named('addresses', 'farms', 'reserves'),
  ...named('object', 'obligation', 'options', 'swap'),
  ...named('actions', 'actions', 'targets', 'weights', 'shocks'),
  verify: 'boolean',
  ...named('amount', 'amount', 'minCollateral', 'repay', 'withdraw'),
  group: 'group',
  index: 'group',
  ...named('bonus', 'minBonusBps', 'maxBonusBps'),
  ...named('whole', 'maxBorrowRateBps', 'minTermSeconds', 'fillableUntil'),
  windowDays: 'days',
  ...named('boolean', 'autoRollover', 'enabled', 'openTermAllowed', 'migrationToFixed'),
  condition: 'choice',
  ...named('count', 'weight', 'unallocatedWeight', 'minInvestDelaySlots'),
  ...named('amount', 'cap', 'collateralCap', 'maxAmount', 'minDeposit', 'minWithdraw', 'minInvest'),
  ...named('amount', 'crankFeePerReserve', 'unallocatedCap', 'withdrawalPenalty', 'rewardPerSecond'),
  depositCap: 'amount',
  performanceFeeBps: 'bps',
  ...named('bonus', 'managementFeeBps', 'withdrawalPenaltyBps'),
  ...named('address', 'pendingAdmin', 'lookupTable', 'farm', 'allocationAdmin', 'firstLossFarm'),
  permissioningAuthority: 'address',
  name: 'label',
  ...named('boolean', 'allocationsInWhitelistedReservesOnly', 'investsInWhitelistedReservesOnly'),
  threshold: 'amount',
  limit: 'integer',
  ...named('token', 'paginationToken', 'cursor'),
};

function named(kind: Kind, ...names: readonly string[]): Record<string, Kind> {
  return Object.fromEntries(names.map((name) => [name, kind]));
}

/** Parameters whose name means something else at one path. */
const KINDS_AT: Readonly<Record<string, Kind>> = {
  '/oracles/prices markets': 'choice',
  '/v2/airdrop/metrics source': 'season',
  '/season-rewards/users/{pubkey} source': 'season',
  '/season-rewards/final-vesting-pool source': 'season',
  '/prices source': 'choice',
  '/prices token': 'text',
  '/prices/history token': 'ticker',
  '/ktx/klend/liquidate obligation': 'address',
  '/ktx/klend/liquidate-instructions obligation': 'address',
  '/ktx/klend/fill-borrow-order obligation': 'address',
  '/ktx/klend/fill-borrow-order-instructions obligation': 'address',
  '/ktx/klend/roll-over-borrow obligation': 'address',
  '/ktx/klend/roll-over-borrow-instructions obligation': 'address',
  '/ktx/klend/accept-obligation obligation': 'address',
  '/ktx/klend/accept-obligation-instructions obligation': 'address',
};

/** Lists: they may be given several times, and with several items. */
const LISTS: readonly string[] = [
  '/svc-market/reserves/account-data markets',
  '/reserves/batch/stats reserve',
  '/kvaults/vaults/metrics/history vaults',
  '/portfolio/{wallet}/rewards rewardTypes',
  '/luts/managed/batch productIdentifierAddress',
  ...['activity', 'activity.csv', 'activity.jsonl'].flatMap((what) =>
    ['kinds', 'products', 'vaults', 'markets', 'tokens'].map((name) => `/portfolio/{wallet}/${what} ${name}`),
  ),
];

const placed = ({ operation, name }: Pick<Parameter, 'operation' | 'name'>) => `${operation.path} ${name}`;

export const isList = (parameter: Parameter): boolean => LISTS.includes(placed(parameter));

const PROTOTYPE = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
const ADDRESS = 'DfJA4R4zd1sxAndK3Rktry25T1K3sxYbNM2NiVXjiPcw';
export const TWO_ADDRESSES = `${ADDRESS},${ADDRESS}`;
const HOSTILE = ['🦀'.repeat(20), '<script>alert(1)</script>', '\u0000', 'null', 'undefined', ...PROTOTYPE];
const NO_NUMBERS = ['', 'many', 'NaN', 'Infinity', '0x10', '1,5', '１２', ...HOSTILE];

/** Values that each kind of parameter refuses. A text takes anything once. */
export const WRONG = {
  address: [
    ...HOSTILE,
    '',
    'nonsense',
    '0OIl'.repeat(10),
    '1'.repeat(31),
    '1'.repeat(33),
    'z'.repeat(44),
    'z'.repeat(100_000),
    `\u202e${ADDRESS}`,
    `${ADDRESS} `,
    ` ${ADDRESS}`,
    TWO_ADDRESSES,
    ADDRESS.toLowerCase(),
    '../../etc/passwd',
  ],
  text: [],
  /** A text whose answer is no list. */
  season: [],
  /** Of a token that the localnet does not have. */
  ticker: [...HOSTILE, '', 'nonsense'],
  /** Of a body; a builder judges its length. */
  label: [],
  choice: ['', 'other', 'DEFAULT', 'Mainnet-Beta', ' localnet', 'x'.repeat(10_000), ...HOSTILE],
  truth: ['', 'maybe', 'TRUE', '1', '0', 'yes', ...HOSTILE],
  /** Also 1, 0, yes and no. */
  switch: ['', 'maybe', 'TRUE', '2', ...HOSTILE],
  integer: [...NO_NUMBERS, '-1', '0', '1.5', '1e3', '+5', ' 5', '9'.repeat(30), '-9'.repeat(500)],
  date: [...NO_NUMBERS, 'yesterday', '2024-13-01', '2024-02-30', '2024-01-01T25:00Z', '9'.repeat(30), '1.5'],
  /** In a body, where they are no texts. */
  addresses: [...HOSTILE, '', ADDRESS, TWO_ADDRESSES],
  boolean: [...HOSTILE, '', 'true', 'false', '1'],
  object: [...HOSTILE, '', ADDRESS, '{}'],
  actions: [...HOSTILE, '', '[]', '{}', ADDRESS],
  group: [...NO_NUMBERS, '1', '-1'],
  bonus: [...NO_NUMBERS, '1', '-1'],
  whole: [...NO_NUMBERS, '1', '-1'],
  bps: [...NO_NUMBERS, '1', '-1'],
  days: [...NO_NUMBERS, '1', '-1'],
  count: [...NO_NUMBERS, '-1', '1.5', '1e3', '+5', ' 5', '9'.repeat(30)],
  token: [...HOSTILE, '', 'nonsense', 'AAAA', 'z'.repeat(10_000), `${ADDRESS}=`, TWO_ADDRESSES],
  rewardTypes: [...NO_NUMBERS, '2', '-1', '01', '0,2', '0,', ',', '0 1', '0;1', '1.0', ' 1'],
  amount: [...NO_NUMBERS, 'all', '1e9', '1.2.3', '+1', 'u64::max', '-1', '9'.repeat(100_000)],
} as const satisfies Record<string, readonly string[]>;

const NO_TEXT: readonly unknown[] = [5, 1.5, -1, true, null, ['1'], { toString: '1' }, {}];

/** Values besides texts that each kind of parameter refuses in a body. */
export function wrongJson(kind: Kind): readonly unknown[] {
  if (kind === 'object') return [5, true, null, ['1']];
  if (kind === 'actions') return [5, true, null, {}, [5], [null], [[]], ['lendingDeposit']];
  if (kind === 'bonus') return [1.5, -1, 1001, 1e300, true, null, [1], {}];
  if (kind === 'boolean') return NO_TEXT.filter((each) => each !== true);
  if (kind === 'whole') return [1.5, -1, 1e300, true, null, [1], {}];
  if (kind === 'days') return [1.5, -1, 256, 1e300, true, null, [1], {}];
  if (kind === 'bps') return [1.5, -1, 10_001, 1e300, true, null, [1], {}];
  if (kind === 'count') return [1.5, -1, 1e300, true, null, [1], {}];
  if (kind === 'group') return [1.5, -1, 33, 1e300, true, null, [1], {}];
  return NO_TEXT;
}

/** Every parameter of every operation. One that the table of kinds does not know is an error, so that none is missed. */
export function parametersOf(operations: readonly Operation[]): Parameter[] {
  return operations.flatMap((operation) =>
    (['params', 'query', 'body'] as const).flatMap((place) =>
      Object.entries(operation[place]?.shape ?? {}).map(([name, schema]) => {
        const kind = KINDS_AT[placed({ operation, name })] ?? KINDS[name];
        if (kind === undefined) throw new Error(`${operation.path}: what kind of parameter is ${name}?`);
        return { operation, place, name, kind, required: !schema.safeParse(undefined).success };
      }),
    ),
  );
}

/** Numbers parameters that share wrong values, so that each can try others of them. */
export function ranked<P extends Parameter>(parameters: readonly P[]): (P & Ranked)[] {
  const peersOf = ({ place, kind }: P) =>
    parameters.filter((each) => each.place === place && each.kind === kind);
  return parameters.map((parameter) => {
    const peers = peersOf(parameter);
    return { ...parameter, row: peers.indexOf(parameter), rows: peers.length };
  });
}

type Values = Readonly<Record<string, unknown>>;

/** A request as sent. `encoded` query strings are appended to those of the input. */
export function askOf({ path, body }: Operation, input: ExampleInput, encoded = ''): Ask {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name])),
  );
  const query = [queryString(input.query ?? {}), encoded].filter((part) => part !== '').join('&');
  const url = query === '' ? filled : `${filled}?${query}`;
  return body === null ? { url } : { url, body: input.body ?? {} };
}

function queryString(query: Values): string {
  return Object.entries(query)
    .flatMap(([name, given]) =>
      (Array.isArray(given) ? given : [given]).map((value) => [name, String(value)]),
    )
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
}

/** The input with one parameter changed. */
export function changed(input: ExampleInput, { place, name }: Parameter, value: unknown): ExampleInput {
  return { ...input, [place]: { ...input[place], [name]: value } };
}

/** The input without a parameter. */
export function without(input: ExampleInput, { place, name }: Parameter): ExampleInput {
  const rest = Object.entries(input[place] ?? {}).filter(([each]) => each !== name);
  return { ...input, [place]: Object.fromEntries(rest) };
}

/** Percent-encoded garbage, as it stands in a URL. */
export const RAW_GARBAGE = [
  '%00',
  '%ZZ',
  '%',
  '%2F',
  '%2e%2e%2f',
  '%E0%A4%A',
  '%F0%9F%A6%80',
  '%25%30%30',
  'a%0d%0ab',
];
