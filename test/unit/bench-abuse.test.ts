import { readFileSync } from 'node:fs';
import { labelledAddress, Random } from '@sluice/localnet/world/prng';
import { buildSchema, isObjectType, parse, TypeInfo, validate, visit, visitWithTypeInfo } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../bench/abuse/bystander.ts';
import { ADDRESS_KINDS, type AddressKind, type Cast, kindAt } from '../../bench/abuse/cast.ts';
import { climb } from '../../bench/abuse/climb.ts';
import { withEffects } from '../../bench/abuse/effects.ts';
import { type Knobs, SMALLEST, STARTS } from '../../bench/abuse/knobs.ts';
import { fitting, refusalOf } from '../../bench/abuse/permitted.ts';
import type { Reading } from '../../bench/abuse/probe.ts';
import { dearest, type Finding, verdictsOf } from '../../bench/abuse/report.ts';
import { type OpenApi, restTargets } from '../../bench/abuse/rest-targets.ts';
import { graphTargets } from '../../bench/abuse/targets.ts';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import { queryLimitsOf } from '../../src/app/parts.ts';
import { loadConfig } from '../../src/config/config.ts';
import { schema } from '../../src/graphql/schema.ts';

const fileOf = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const byKind = <T>(value: (kind: AddressKind) => T) => ({
  wallet: value('wallet'),
  vault: value('vault'),
  market: value('market'),
  reserve: value('reserve'),
  obligation: value('obligation'),
  mint: value('mint'),
  table: value('table'),
});
const addressOf = (kind: AddressKind, number: number) => labelledAddress('abuse test', kind, number);
const numbers = Array.from({ length: 120 }, (_, i) => i);
const cast: Cast = {
  members: numbers.map((number) => byKind((kind) => addressOf(kind, number))),
  all: byKind((kind) => numbers.map((number) => addressOf(kind, number))),
};
const limits = queryLimitsOf(loadConfig({}));
const targets = graphTargets({ schema, cast, now: Date.UTC(2026, 5, 1) }, limits);

const documentOf = (body: string | null): string => String(JSON.parse(body ?? '').query);

/** `Type.field` of every field that a document selects. */
function selectedIn(text: string): Set<string> {
  const types = new TypeInfo(schema);
  const selected = new Set<string>();
  const Field = () => {
    selected.add(`${types.getParentType()?.name}.${types.getFieldDef()?.name}`);
  };
  visit(parse(text), visitWithTypeInfo(types, { Field }));
  return selected;
}

describe('generated GraphQL requests', () => {
  it('there is a target for every field of the schema', () => {
    const published = Object.values(buildSchema(fileOf('schema.graphql')).getTypeMap())
      .filter(isObjectType)
      .filter(({ name }) => !name.startsWith('__'))
      .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));
    const introspection = ['Query.__schema', 'Query.__type'];
    expect(targets.map(({ name }) => name).sort()).toEqual([...published, ...introspection].sort());
  });

  it('every field has a valid request within all limits that selects it', () => {
    const every = cases(8, 1);
    for (const { name, permissible, attack } of targets.filter((_, i) => i % every === 0)) {
      // The largest request takes long to shrink, so it is tried at the root only.
      const start = /^(Query|Mutation|Subscription)\./.test(name) ? (STARTS[1] ?? SMALLEST) : SMALLEST;
      const knobs = permissible({ ...start, draw: 7 });
      if (knobs === null) throw new Error(`${name} has no permitted request`);
      const text = documentOf(attack(knobs, 1).body);
      expect(validate(schema, parse(text)), name).toEqual([]);
      expect(selectedIn(text), name).toContain(name);
    }
  });

  it('only fields that nothing else reaches are searched as streams', () => {
    const streams = targets.filter(({ isStream }) => isStream).map(({ name }) => name.split('.')[0]);
    expect([...new Set(streams)].sort()).toEqual([
      'ObligationUpdate',
      'ReserveUpdate',
      'SlotUpdate',
      'Subscription',
      'VaultUpdate',
      'WalletUpdate',
    ]);
  });

  it('the knobs repeat paths and fields and set sizes', () => {
    const history = targets.find(({ name }) => name === 'Vault.metricsHistory');
    const knobs: Knobs = { ...SMALLEST, rootCopies: 3, fieldCopies: 2, points: 321 };
    const text = documentOf(history?.attack(knobs, 1).body ?? null);
    expect(text.match(/node\(id:/g)).toHaveLength(3);
    expect(text.match(/metricsHistory\(maxPoints: 321\)/g)).toHaveLength(2);
    // Each copy of the path names another vault.
    expect(new Set(text.match(/id: "\w+=*"/g)).size).toBe(3);
  });

  it('requests with different numbers differ, so that no cache answers them', () => {
    for (const { name, attack } of targets) {
      expect(attack(SMALLEST, 1).body, name).not.toBe(attack(SMALLEST, 2).body);
    }
  });

  it('strangers are addresses outside of the world', () => {
    const wallet = targets.find(({ name }) => name === 'Query.wallet');
    const known = new Set(cast.all.wallet);
    const named = (strangers: boolean) =>
      /address: "(\w+)"/.exec(documentOf(wallet?.attack({ ...SMALLEST, strangers }, 1).body ?? null))?.[1];
    expect(known).toContain(named(false));
    expect(known).not.toContain(named(true));
  });
});

describe('what is permitted', () => {
  it('knows the refusals of the gateway', () => {
    const refusal = (text: string) => refusalOf(schema, limits, text);
    expect(refusal('{ chain { slot } }')).toBeNull();
    expect(refusal('{ chain { nothing } }')).toContain('Cannot query field');
    expect(refusal('{ chain { slot }')).toContain('Syntax Error');
    expect(refusal(`{ ${'chain { slot } '.repeat(2_000)} }`)).toContain('token');
    const aliases = numbers.map((i) => `a${i}: chain { slot }`).join(' ');
    expect(refusal(`{ ${aliases} }`)).toBe('TOO_MANY_ALIASES');
    const nested =
      'reserves(first: 100) { nodes { vaults(first: 100) { nodes { allocations { reserveAddress } } } } }';
    expect(refusal(`{ tokens(first: 100) { nodes { ${nested} } } }`)).toBe('QUERY_TOO_EXPENSIVE');
  });

  it('makes a request smaller until it is permitted', () => {
    const wanted: Knobs = { ...SMALLEST, rootCopies: 100, fieldCopies: 100, levels: 3 };
    const fits = (most: number) => (knobs: Knobs) => knobs.rootCopies * knobs.fieldCopies <= most;
    const fit = fitting(wanted, fits(400));
    expect(fit?.levels).toBe(3);
    expect((fit?.rootCopies ?? 0) * (fit?.fieldCopies ?? 0)).toBeGreaterThan(100);
    expect(fits(400)(fit ?? wanted)).toBe(true);
    expect(fitting(wanted, (knobs) => knobs.levels === 0)).toEqual(SMALLEST);
    expect(fitting(wanted, () => false)).toBeNull();
  });
});

describe('REST requests', () => {
  const openApi: OpenApi = JSON.parse(fileOf('openapi.json'));
  const rest = restTargets(openApi, cast);

  it('there is a request for every documented operation', () => {
    const documented = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(rest.map(({ name }) => name)).toEqual(documented);
    for (const { name, attack } of rest) {
      const { method, target, body } = attack({ ...SMALLEST, draw: 3 }, 1);
      const [, path = ''] = name.split(' ');
      const shape = new RegExp(`^${path.replace(/\{\w+\}/g, '[1-9A-HJ-NP-Za-km-z]{32,44}')}(\\?|$)`);
      expect(target, name).toMatch(shape);
      expect(body === null, name).toBe(method === 'GET');
    }
  });

  it('names accounts of the kind that the path asks for', () => {
    const pathOf = (name: string) => rest.find((each) => each.name === name)?.attack(SMALLEST, 5).target;
    expect(pathOf('GET /kvaults/vaults/{pubkey}')).toBe(`/kvaults/vaults/${addressOf('vault', 5)}?n=5`);
    expect(pathOf('GET /kvaults/users/{pubkey}/positions')).toBe(
      `/kvaults/users/${addressOf('wallet', 5)}/positions?n=5`,
    );
    expect(pathOf('GET /kvaults/mints/{pubkey}/metadata')).toBe(
      `/kvaults/mints/${addressOf('mint', 5)}/metadata?n=5`,
    );
    expect(pathOf('GET /klend/loans/{pubkey}')).toBe(`/klend/loans/${addressOf('obligation', 5)}?n=5`);
  });
});

describe('kinds of addresses', () => {
  it('the last name that says a kind decides', () => {
    const kinds = [
      ['vaults', 'filter', 'addresses'],
      ['vaults', 'filter', 'market'],
      ['obligations', 'scope', 'owner'],
      ['balances', 'mints'],
      ['buildVaultDeposit', 'input', 'options', 'lookupTables'],
      ['obligationHealth', 'address'],
    ].map(kindAt);
    expect(kinds).toEqual(['vault', 'market', 'wallet', 'mint', 'table', 'obligation']);
    expect(new Set(kinds).size).toBe(ADDRESS_KINDS.length - 1);
  });
});

describe('search', () => {
  /** A hidden optimum: small pages, many copies, one of three paths; another goal wants the opposite. */
  const climbed = (tries: number) => {
    const measured: Knobs[] = [];
    const found = climb<Knobs, 'copies' | 'pages'>({
      starts: STARTS,
      permissible: (knobs) => fitting(knobs, ({ fieldCopies, page }) => fieldCopies * page <= 800),
      measure: async (knobs) => {
        measured.push(knobs);
        return knobs;
      },
      goals: [
        { name: 'copies', of: ({ fieldCopies, page, path }) => fieldCopies / page + (path === 2 ? 5 : 0) },
        { name: 'pages', of: ({ page, levels }) => page + 10 * levels },
      ],
      random: new Random('climb test', 1),
      goesOn: (tried) => tried < tries,
    });
    return { found, measured };
  };

  it('finds the best setting of every goal', async () => {
    const { found } = climbed(600);
    const best = await found;
    expect(best.get('copies')?.knobs).toMatchObject({ fieldCopies: 100, page: 1, path: 2 });
    expect(best.get('pages')?.knobs).toMatchObject({ page: 100, levels: 3 });
  });

  it('measures only what is permitted, and nothing twice', async () => {
    const { found, measured } = climbed(300);
    await found;
    expect(measured.every(({ fieldCopies, page }) => fieldCopies * page <= 800)).toBe(true);
    expect(new Set(measured.map((knobs) => JSON.stringify(knobs))).size).toBe(measured.length);
  });

  it('measures at least the first start, however short the time', async () => {
    const { found, measured } = climbed(0);
    expect((await found).size).toBe(2);
    expect(measured).toEqual([STARTS[0]]);
  });
});

describe('report', () => {
  const reading: Reading = {
    cpuMsPerUnit: 1,
    rpcCallsPerUnit: 1,
    sqlMsPerUnit: 0,
    cpuMsPerRequest: 1,
    unitsPerRequest: 1,
    longestMs: 10,
    status: 200,
  };
  const effect: Effect = {
    pageP50Ms: 5,
    pageP99Ms: 99.9,
    walletP99Ms: 300,
    failed: 0,
    loopDelayMs: 20,
    slowestAnswerMs: 15_100,
    admitted: 9,
  };
  const finding = (target: string, change: Partial<Finding> = {}): Finding => ({
    target,
    goal: 'processor',
    knobs: SMALLEST,
    reading,
    request: '',
    effect,
    ...change,
  });
  const met = (change: Partial<Finding>) => verdictsOf([finding('a', change)]).map(({ isMet }) => isMet);

  it('a promise is broken at its limit and not before', () => {
    expect(met({})).toEqual([true, true]);
    expect(met({ effect: { ...effect, pageP99Ms: 100 } })).toEqual([false, true]);
    expect(met({ effect: { ...effect, failed: 1 } })).toEqual([false, true]);
    expect(met({ effect: { ...effect, slowestAnswerMs: 15_101 } })).toEqual([true, false]);
    expect(met({ effect: null, reading: { ...reading, longestMs: 15_101 } })).toEqual([true, false]);
  });

  it('runs each request of a field once, also where fields share their settings', async () => {
    const run: string[] = [];
    const found = [
      finding('a', { effect: null }),
      finding('a', { effect: null, goal: 'rpc' }),
      finding('b', { effect: null }),
      finding('c', { effect: null }),
      finding('b', { effect: null, goal: 'rpc', knobs: { ...SMALLEST, page: 9 } }),
    ];
    const all = await withEffects(
      found,
      ({ target }) => target !== 'c',
      async ({ target }) => {
        run.push(target);
        return { ...effect, admitted: run.length };
      },
    );
    expect(run).toEqual(['a', 'b', 'b']);
    expect(all.map((each) => each.effect?.admitted ?? null)).toEqual([1, 1, 2, null, 3]);
  });

  it('lists the dearest of a goal first and leaves out what was charged nothing', () => {
    const costing = (target: string, cpuMsPerUnit: number) =>
      finding(target, { reading: { ...reading, cpuMsPerUnit } });
    const all = [
      costing('cheap', 1),
      costing('free', Number.POSITIVE_INFINITY),
      costing('dear', 9),
      finding('other goal', { goal: 'rpc' }),
      costing('middle', 5),
    ];
    expect(dearest(all, 'processor', 2).map(({ target }) => target)).toEqual(['dear', 'middle']);
    expect(dearest(all, 'rpc', 2).map(({ target }) => target)).toEqual(['other goal']);
  });
});
