import type { Shape } from '../contract/field-shapes.ts';
import { present, type Text } from './graph-values.ts';
import type { OperationRow, Variables } from './operation-row.ts';
import { wrong } from './refusals.ts';

const GROWTH: Shape = { fields: { growth: 'decimal', 'apy?': 'decimal' } };
const UNKNOWN: Shape = {
  oneOf: ['RESERVE_NOT_RECORDED', 'TOO_FEW_RECORDS', 'NOT_RECORDED_THEN', 'NOTHING_COMPARED', 'NO_SHARES'],
};

const OUTCOME: Shape = {
  fields: {
    'beforeFees?': GROWTH,
    'afterFees?': GROWTH,
    unallocatedWeight: 'integerString',
    unallocatedShare: 'decimal',
    reserves: {
      list: {
        fields: {
          reserve: 'address',
          weight: 'integerString',
          share: 'decimal',
          'own?': GROWTH,
          'contribution?': 'decimal',
          'recordedSince?': 'date',
          gaps: { list: { fields: { from: 'date', to: 'date', bridged: 'boolean' } } },
        },
      },
    },
    'unknown?': UNKNOWN,
    'unknownReserve?': 'address',
  },
};

const BACKTEST: Shape = {
  fields: {
    'from?': 'date',
    'to?': 'date',
    frequency: { oneOf: ['hour', 'day'] },
    given: OUTCOME,
    current: OUTCOME,
    recorded: {
      fields: {
        'growth?': GROWTH,
        'tokensPerShareFrom?': 'decimal',
        'tokensPerShareTo?': 'decimal',
        'unknown?': UNKNOWN,
      },
    },
    limits: {
      list: {
        fields: {
          code: { oneOf: ['OWN_SIZE', 'CAPS', 'REBALANCING', 'REWARDS', 'FEES'] },
          message: 'label',
        },
      },
    },
  },
};

interface Growth {
  readonly growth: string;
  readonly apy: Text;
}

interface Outcome {
  readonly beforeFees: Growth | null;
  readonly afterFees: Growth | null;
  readonly unallocatedWeight: string;
  readonly unallocatedShare: string;
  readonly reserves: readonly {
    readonly reserveAddress: string;
    readonly weight: string;
    readonly share: string;
    readonly own: Growth | null;
    readonly contribution: Text;
    readonly recordedSince: Text;
    readonly gaps: readonly object[];
  }[];
  readonly unknown: Text;
  readonly unknownReserveAddress: Text;
}

interface Backtest {
  readonly from: Text;
  readonly to: Text;
  readonly interval: string;
  readonly given: Outcome;
  readonly current: Outcome;
  readonly recorded: {
    readonly growth: Growth | null;
    readonly tokensPerShareFrom: Text;
    readonly tokensPerShareTo: Text;
    readonly unknown: Text;
  };
  readonly limits: readonly object[];
}

const OUTCOME_FIELDS = `{
  beforeFees { growth apy } afterFees { growth apy } unallocatedWeight unallocatedShare
  reserves { reserveAddress weight share own { growth apy } contribution recordedSince gaps { from to bridged } }
  unknown unknownReserveAddress
}`;

const QUERY = `query ($address: Address!, $weights: [VaultWeightInput!]!, $unallocated: U64, $range: TimeRange!) {
  vault(address: $address) { backtest(weights: $weights, unallocatedWeight: $unallocated, range: $range) {
    from to interval given ${OUTCOME_FIELDS} current ${OUTCOME_FIELDS}
    recorded { growth { growth apy } tokensPerShareFrom tokensPerShareTo unknown }
    limits { code message }
  } }
}`;

const restGrowth = (name: string, growth: Growth | null) =>
  growth === null ? {} : { [name]: { growth: growth.growth, ...present({ apy: growth.apy }) } };

const restOutcome = (outcome: Outcome) => ({
  ...restGrowth('beforeFees', outcome.beforeFees),
  ...restGrowth('afterFees', outcome.afterFees),
  unallocatedWeight: outcome.unallocatedWeight,
  unallocatedShare: outcome.unallocatedShare,
  reserves: outcome.reserves.map(({ reserveAddress, own, contribution, recordedSince, ...each }) => ({
    reserve: reserveAddress,
    ...each,
    ...restGrowth('own', own),
    ...present({ contribution, recordedSince }),
  })),
  ...present({ unknown: outcome.unknown, unknownReserve: outcome.unknownReserveAddress }),
});

const of = (vault: string) => `/kvaults/vaults/${vault}/backtest`;

export const VAULT_BACKTEST_ROW: OperationRow = {
  method: 'post',
  path: of('{pubkey}'),
  answer: BACKTEST,
  requests: ({ addresses: { vault, reserve } }) => {
    const asked = (body: Variables, range: object, weights: readonly object[], unallocated?: string) => ({
      url: of(vault),
      body: {
        weights,
        ...(unallocated === undefined ? {} : { unallocatedWeight: unallocated }),
        ...body,
      },
      variables: { address: vault, weights, unallocated, range },
    });
    return [
      // Days, hours, no weights, and a range without a record.
      asked({ start: '2026-05-01' }, { start: '2026-05-01' }, [{ reserve, weight: '100' }], '25'),
      asked(
        { start: '2026-05-30T12:00Z', end: 1_780_228_800_000 },
        { start: '2026-05-30T12:00Z', end: '2026-05-31T12:00Z' },
        [{ reserve, weight: '3' }],
      ),
      asked({ start: '2026-05-01' }, { start: '2026-05-01' }, []),
      asked({ start: '2025-01-01', end: '2025-02-01' }, { start: '2025-01-01', end: '2025-02-01' }, [
        { reserve, weight: '1' },
      ]),
    ];
  },
  refusals: ({ reserves, addresses: { vault, reserve, emptyWallet, market, tokenMint } }) => {
    const other = reserves.find(({ mint }) => mint !== tokenMint)?.address ?? '';
    const good = { weights: [{ reserve, weight: '1' }], start: '2026-05-01' };
    return [
      { name: 'no address', ask: { url: of('nonsense'), body: good }, ...wrong, at: 'pubkey' },
      { name: 'nothing there', ask: { url: of(emptyWallet), body: good }, status: 404 },
      { name: 'a market', ask: { url: of(market), body: good }, status: 404 },
      ...(
        [
          ['start', { ...good, start: '2026-05-20', end: '2026-05-20' }],
          ['start', { ...good, start: '2100-01-01' }],
          ['start', { ...good, start: '2023-01-01' }],
          ['weights', { start: '2026-05-01' }],
          ['weights', { ...good, weights: [{ reserve }] }],
          ['unallocatedWeight', { ...good, unallocatedWeight: '-1' }],
        ] as const
      ).map(([at, body]) => ({ name: JSON.stringify(body), ask: { url: of(vault), body }, ...wrong, at })),
      {
        name: 'an unknown reserve',
        ask: { url: of(vault), body: { ...good, weights: [{ reserve: emptyWallet, weight: '1' }] } },
        status: 404,
      },
      {
        name: 'a reserve of another token',
        ask: { url: of(vault), body: { ...good, weights: [{ reserve: other, weight: '1' }] } },
        status: 400,
        code: 'WEIGHT_INVALID',
      },
      {
        name: 'a reserve twice',
        ask: { url: of(vault), body: { ...good, weights: [...good.weights, ...good.weights] } },
        status: 400,
        code: 'WEIGHT_INVALID',
      },
    ];
  },
  async twin(graph, variables) {
    const { vault } = await graph<{ vault: { backtest: Backtest } }>(QUERY, variables);
    const { from, to, interval, given, current, recorded, limits } = vault.backtest;
    return {
      ...present({ from, to }),
      frequency: interval.toLowerCase(),
      given: restOutcome(given),
      current: restOutcome(current),
      recorded: {
        ...restGrowth('growth', recorded.growth),
        ...present({
          tokensPerShareFrom: recorded.tokensPerShareFrom,
          tokensPerShareTo: recorded.tokensPerShareTo,
          unknown: recorded.unknown,
        }),
      },
      limits,
    };
  },
};
