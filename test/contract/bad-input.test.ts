import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KTX_EXIT_OPERATIONS } from '../../src/rest/builds/exit-routes.ts';
import { KTX_PLAN_OPERATIONS } from '../../src/rest/builds/plan-routes.ts';
import { KTX_REBALANCE_OPERATIONS } from '../../src/rest/builds/rebalance-routes.ts';
import type { ExampleInput, Operation } from '../../src/rest/operation/operation.ts';
import { OPERATIONS as EXISTING } from '../../src/rest/operation-table.ts';
import { errorFaults } from '../support/contract/answer-checks.ts';
import type { ContractWorld } from '../support/contract/contract-app.ts';
import { badInputStatus } from '../support/contract/error-bodies.ts';
import {
  askOf,
  changed,
  isList,
  type Parameter,
  parametersOf,
  RAW_GARBAGE,
  TWO_ADDRESSES,
  WRONG,
  without,
  wrongJson,
} from '../support/contract/parameters.ts';
import { startRecordedWorld } from '../support/contract/recorded-app.ts';
import type { Ask } from '../support/operations/operation-row.ts';

const OPERATIONS = [...EXISTING, ...KTX_PLAN_OPERATIONS, ...KTX_EXIT_OPERATIONS, ...KTX_REBALANCE_OPERATIONS];

let world: ContractWorld;
beforeAll(async () => {
  world = await startRecordedWorld();
});
afterAll(() => world?.stop());

const exampleOf = (operation: Operation): ExampleInput => operation.example(world.localChain.addresses);

/** Everything that is wrong with the refusal of an input that names this parameter. */
async function faultsOf({ operation, place, name, kind }: Parameter, ask: Ask): Promise<string[]> {
  const { method, path } = operation;
  const answer = await world.ask(ask);
  const status = badInputStatus(path);
  if (answer.status !== status) return [`status ${answer.status}: ${answer.text.slice(0, 100)}`];
  const { details, error, message } = answer.body as Readonly<Record<string, unknown>>;
  const validation = place === 'body' ? details !== undefined : status === 400;
  const inMessage = [String(error ?? ''), String(message ?? '')].some((text) => text.includes(name));
  // A decimal is refused by its own rules, which name the amount and not the field.
  const named = inMessage || kind === 'amount';
  return [
    ...errorFaults(method, path, answer, validation),
    ...(named ? [] : [`${name} is not named in the error`]),
  ];
}

async function collected(
  parameter: Parameter,
  inputs: Iterable<readonly [label: string, ask: Ask]>,
): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {};
  world.proxy.reset();
  for (const [label, ask] of inputs) {
    const wrong = await faultsOf(parameter, ask);
    if (wrong.length > 0) faults[label.slice(0, 60)] = wrong;
  }
  return faults;
}

const PARAMETERS = parametersOf(OPERATIONS).map((parameter) => ({
  ...parameter,
  title: `${parameter.operation.path}, ${parameter.place}, ${parameter.name}`,
}));

const inQuery = PARAMETERS.filter(({ place }) => place === 'query');
/** A text takes anything once. */
const isLimited = ({ kind }: Parameter) => kind !== 'text' && kind !== 'season';
const inPath = PARAMETERS.filter(({ place }) => place === 'params');
const inBody = PARAMETERS.filter(({ place }) => place === 'body');

describe('invalid input is rejected with the error body of its family, without reading the chain', () => {
  it.each(PARAMETERS)('$title: invalid values', async (parameter) => {
    const { operation, place, kind } = parameter;
    const input = exampleOf(operation);
    // Nothing between two slashes is another path, and a list takes two addresses.
    const allowed = place === 'params' ? ['', '\u0000'] : isList(parameter) ? [TWO_ADDRESSES] : [];
    const values = WRONG[kind].filter((value) => !allowed.includes(value));
    const inputs = values.map(
      (value) => [value, askOf(operation, changed(input, parameter, value))] as const,
    );
    expect(await collected(parameter, inputs)).toEqual({});
    // An amount below nothing is refused by its mint alone.
    if (kind !== 'amount') expect(world.proxy.calls).toEqual([]);
  });

  it.each(inQuery.filter((parameter) => !isList(parameter)))('$title: given twice', async (parameter) => {
    const { operation, kind } = parameter;
    const value = kind === 'address' ? '1'.repeat(32) : '5';
    const twice = askOf(operation, changed(exampleOf(operation), parameter, [value, value]));
    expect(await collected(parameter, [['twice', twice]])).toEqual({});
    expect(world.proxy.calls).toEqual([]);
  });

  it.each(inPath.filter(isLimited))('$title: percent-encoded garbage', async (parameter) => {
    const { operation } = parameter;
    const filled = askOf(operation, changed(exampleOf(operation), parameter, 'GARBAGE'));
    const inputs = RAW_GARBAGE.map(
      (raw) => [raw, { ...filled, url: filled.url.replace('GARBAGE', raw) }] as const,
    );
    expect(await collected(parameter, inputs)).toEqual({});
    expect(world.proxy.calls).toEqual([]);
  });

  it.each(inQuery.filter(isLimited))('$title: percent-encoded garbage', async (parameter) => {
    const { operation, name } = parameter;
    const input = without(exampleOf(operation), parameter);
    const inputs = RAW_GARBAGE.map((raw) => [raw, askOf(operation, input, `${name}=${raw}`)] as const);
    expect(await collected(parameter, inputs)).toEqual({});
    expect(world.proxy.calls).toEqual([]);
  });

  it.each(inBody.filter(({ operation }) => operation.tag === 'Builders'))(
    '$title: missing, or not of its type',
    async (parameter) => {
      const { operation, kind, required } = parameter;
      const input = exampleOf(operation);
      const missing = ['missing', askOf(operation, without(input, parameter))] as const;
      const others = wrongJson(kind).map(
        (value) => [JSON.stringify(value), askOf(operation, changed(input, parameter, value))] as const,
      );
      expect(await collected(parameter, required ? [missing, ...others] : others)).toEqual({});
      expect(world.proxy.calls).toEqual([]);
    },
  );
});

describe('texts that match nothing', () => {
  const texts = PARAMETERS.filter(({ kind }) => kind === 'text');
  const names = ['', '__proto__', 'constructor', 'toString', '🦀', '%', 'x'.repeat(10_000)];

  it.each(texts)('$title returns an empty answer', async ({ operation, ...parameter }) => {
    // Nothing between two slashes is another path.
    const given = parameter.place === 'params' ? names.filter((name) => name !== '') : names;
    for (const name of given) {
      const ask = askOf(operation, changed(exampleOf(operation), { operation, ...parameter }, name));
      const answer = await world.ask(ask);
      expect([name.slice(0, 20), answer.status, itemsOf(answer.body)]).toEqual([name.slice(0, 20), 200, []]);
    }
  });
});

/** A list, or the list in an object. */
const itemsOf = (body: unknown) =>
  Array.isArray(body) ? body : (body as { readonly rewards?: unknown } | null)?.rewards;

describe('undocumented parameters', () => {
  const STRANGE =
    'unknown=1&__proto__=x&__proto__[polluted]=1&constructor=y&constructor[prototype][polluted]=1&toString=z&hasOwnProperty=1&=2&&%00=3&%ZZ=4';

  it.each(OPERATIONS)('$path ignores them', async (operation) => {
    const input = exampleOf(operation);
    const plain = await world.ask(askOf(operation, input));
    const strange = await world.ask(askOf(operation, input, STRANGE));
    expect([strange.status, strange.text]).toEqual([200, plain.text]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('context headers', () => {
  const paths = [
    '/ktx/kvault/deposit-instructions',
    '/kvaults/vaults',
    '/kvaults/vaults/{pubkey}',
    '/v2/svc-market/{pubkey}',
  ];
  const HEADERS = [
    ['x-view', '999999'],
    ['x-view', 'nonsense'],
    ['x-view', '-1'],
    ['x-view', '1.5'],
    ['x-min-slot', '1.5'],
    ['x-min-slot', '9'.repeat(30)],
    ['x-min-slot', '__proto__'],
  ] as const;
  const cases = OPERATIONS.filter(({ path }) => paths.includes(path));

  it.each(cases)('$path accepts them', async (operation) => {
    const ask = askOf(operation, exampleOf(operation));
    const view = (await world.ask(ask)).headers.get('x-view') ?? '';
    const again = await world.ask(ask, { 'x-view': view, 'x-min-slot': '1' });
    expect([again.status, again.headers.get('x-view')]).toEqual([200, view]);
  });

  it.each(cases)('$path rejects invalid ones', async (operation) => {
    const { method, path } = operation;
    for (const [name, value] of HEADERS) {
      const answer = await world.ask(askOf(operation, exampleOf(operation)), { [name]: value });
      expect([name, value, answer.status]).toEqual([name, value, badInputStatus(path)]);
      expect(errorFaults(method, path, answer)).toEqual([]);
    }
  });
});
