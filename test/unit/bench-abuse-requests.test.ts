import { readFileSync } from 'node:fs';
import { labelledAddress } from '@sluice/localnet/world/prng';
import { buildSchema, isObjectType, parse, TypeInfo, validate, visit, visitWithTypeInfo } from 'graphql';
import { describe, expect, it } from 'vitest';
import { ADDRESS_KINDS, type AddressKind, type Cast, kindAt } from '../../bench/abuse/cast.ts';
import { type Knobs, SMALLEST, STARTS } from '../../bench/abuse/knobs.ts';
import { type ListedTool, mcpTargets } from '../../bench/abuse/mcp-targets.ts';
import { fitting, refusalOf } from '../../bench/abuse/permitted.ts';
import { filled, type Present } from '../../bench/abuse/placeholders.ts';
import { type OpenApi, restTargets } from '../../bench/abuse/rest-targets.ts';
import { signedBy } from '../../bench/abuse/signed-transactions.ts';
import { graphTargets } from '../../bench/abuse/targets.ts';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import { queryLimitsOf } from '../../src/app/parts.ts';
import { loadConfig } from '../../src/config/config.ts';
import { schema } from '../../src/graphql/schema.ts';
import { signedTransaction as decodedTransaction } from '../../src/services/sending/signed-transaction.ts';

const BLOCKHASH = 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N';
const fileOf = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const byKind = <T>(value: (kind: AddressKind) => T) => ({
  wallet: value('wallet'),
  vault: value('vault'),
  curator: value('curator'),
  market: value('market'),
  reserve: value('reserve'),
  debt: value('debt'),
  obligation: value('obligation'),
  mint: value('mint'),
  priced: value('priced'),
  table: value('table'),
});
const addressOf = (kind: AddressKind, number: number) => labelledAddress('abuse test', kind, number);
const numbers = Array.from({ length: 120 }, (_, i) => i);
const cast: Cast = {
  members: numbers.map((number) => byKind((kind) => addressOf(kind, number))),
  all: byKind((kind) => numbers.map((number) => addressOf(kind, number))),
};
const limits = queryLimitsOf(loadConfig({}));
const targets = graphTargets({ schema, cast }, limits);

const PRESENT: Present = {
  now: Date.UTC(2026, 5, 1),
  signed: (draw, number) => signedBy(draw, number, BLOCKHASH),
};
const documentOf = (body: string | null): string => String(JSON.parse(filled(body ?? '', PRESENT)).query);

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
    const names = targets.map(({ name }) => name).filter((name) => !name.startsWith('stream '));
    expect(names.sort()).toEqual([...published, ...introspection].sort());
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
      expect(selectedIn(text), name).toContain(name.replace('stream ', ''));
    }
  });

  it('fields that take arguments are searched as streams too, beside those that nothing else reaches', () => {
    const [again, only] = [true, false].map((wanted) =>
      targets.filter(({ isStream, name }) => isStream && name.startsWith('stream ') === wanted),
    );
    expect(again?.map(({ name }) => name)).toContain('stream Obligation.whatIf');
    const streams = only?.map(({ name }) => name.split('.')[0]);
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
  const bodyOf = (name: string, knobs: Knobs) => {
    const attack = rest.find((each) => each.name === name)?.attack(knobs, 5);
    return JSON.parse(filled(attack?.body ?? '', PRESENT));
  };

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

  it('bodies have the structure of their schemas', () => {
    const { actions } = bodyOf('POST /ktx/plan', { ...SMALLEST, list: 100, draw: 4 });
    expect(actions).toHaveLength(6);
    for (const action of actions) {
      const [[name, body], ...others] = Object.entries<Record<string, unknown>>(action) as [
        [string, Record<string, unknown>],
      ];
      expect(others, name).toEqual([]);
      expect(body.wallet, name).toBe(addressOf('wallet', 5));
    }
    expect(bodyOf('POST /luts/find-minimal', { ...SMALLEST, list: 9 }).addresses).toHaveLength(9);
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

describe('signed transactions', () => {
  const draws = Array.from({ length: 30 }, (_, draw) => draw);

  it('are well-formed, and live by a blockhash or by a nonce', () => {
    const decoded = draws.map((draw) => decodedTransaction(signedBy(draw, 1, BLOCKHASH)));
    expect(decoded.some(({ blockhash, nonce }) => blockhash === BLOCKHASH && nonce === null)).toBe(true);
    expect(decoded.some(({ blockhash, nonce }) => blockhash !== BLOCKHASH && nonce === null)).toBe(true);
    expect(decoded.some(({ nonce }) => nonce !== null)).toBe(true);
    expect(new Set(decoded.map(({ feePayer }) => feePayer)).size).toBeGreaterThan(1);
  });

  it('differ by their number, over every API that takes one', () => {
    const sent = [1, 2].map((number) => decodedTransaction(signedBy(7, number, BLOCKHASH)).signature);
    expect(new Set(sent).size).toBe(2);
    const rest = restTargets(JSON.parse(fileOf('openapi.json')), cast);
    const send = rest.find(({ name }) => name === 'POST /transactions');
    const bodies = [1, 2].map((number) => filled(send?.attack(SMALLEST, number).body ?? '', PRESENT));
    expect(decodedTransaction(JSON.parse(bodies[0] ?? '').transaction)).toBeDefined();
    expect(bodies[0]).not.toBe(bodies[1]);
  });
});

describe('calls of tools', () => {
  const tools: ListedTool[] = [
    {
      name: 'prepare',
      inputSchema: {
        type: 'object',
        required: ['actions'],
        properties: {
          actions: { type: 'array', maxItems: 6, items: { $ref: '#/$defs/BuildAction' } },
          cursor: { type: 'string' },
        },
        $defs: {
          BuildAction: {
            type: 'object',
            maxProperties: 1,
            properties: {
              deposit: { type: 'object', required: ['vault'], properties: { vault: { type: 'string' } } },
            },
          },
        },
      },
    },
    // Takes the actions of the other one without saying so.
    {
      name: 'simulate',
      inputSchema: {
        type: 'object',
        required: ['actions'],
        properties: { actions: { type: 'array', items: { type: 'object' } } },
      },
    },
    { name: 'graphql', inputSchema: { type: 'object' } },
  ];
  const calls = mcpTargets(tools, { schema, cast, limits });
  const argumentsOf = (name: string, knobs: Knobs) =>
    JSON.parse(calls.find((each) => each.name === name)?.attack(knobs, 3).body ?? '').params.arguments;

  it.each(['MCP prepare', 'MCP simulate'])('%s is given structured actions', (name) => {
    const { actions, ...others } = argumentsOf(name, { ...SMALLEST, list: 50, draw: 5 });
    expect(others).toEqual({});
    expect(actions).toEqual(Array(6).fill({ deposit: { vault: addressOf('vault', 3) } }));
  });

  it('the tool for documents is given permitted ones, of another field at each draw', () => {
    const target = calls.find(({ name }) => name === 'MCP graphql');
    const queries = [1, 50, 99].map((draw) => {
      const knobs = target?.permissible({ ...SMALLEST, draw }) ?? null;
      if (knobs === null) throw new Error('no document is permitted');
      return String(argumentsOf('MCP graphql', knobs).query);
    });
    expect(queries.map((query) => refusalOf(schema, limits, query))).toEqual([null, null, null]);
    expect(new Set(queries).size).toBe(3);
  });
});

describe('kinds of addresses', () => {
  it('the last name that says a kind decides', () => {
    const kinds = [
      ['vaults', 'filter', 'addresses'],
      ['vaults', 'filter', 'market'],
      ['obligations', 'scope', 'owner'],
      ['balances', 'mints'],
      ['marketRisk', 'shocks', 'prices', 'mint'],
      ['buildVaultDeposit', 'input', 'options', 'lookupTables'],
      ['obligationHealth', 'address'],
      ['buildLiquidation', 'input', 'repayReserve'],
      ['curator', 'address'],
    ].map(kindAt);
    expect(kinds).toEqual([
      'vault',
      'market',
      'wallet',
      'mint',
      'priced',
      'table',
      'obligation',
      'debt',
      'curator',
    ]);
    expect(new Set(kinds).size).toBe(ADDRESS_KINDS.length - 1);
  });
});
