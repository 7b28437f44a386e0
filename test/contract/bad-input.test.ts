import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampled } from '../../packages/protocol/test/support/cases.ts';
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
  type Kind,
  type Parameter,
  parametersOf,
  RAW_GARBAGE,
  type Ranked,
  ranked,
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

const PARAMETERS = ranked(parametersOf(OPERATIONS));

/** Whether any text is a value, once. */
const takesAnything = (kind: Kind): boolean => kind === 'text' || kind === 'season';

/** A few of the values; others for the other parameters of the kind. */
const someOf = <T>({ row, rows }: Ranked, values: readonly T[], least: number): readonly T[] =>
  sampled(values, row, rows, least);

/** Inputs in which one parameter is wrong. */
function wrongInputs(parameter: Ranked): (readonly [label: string, ask: Ask])[] {
  const { place, kind, operation } = parameter;
  const input = exampleOf(operation);
  const withValue = (value: unknown) => askOf(operation, changed(input, parameter, value));
  // Nothing between two slashes is another path, and a list takes two addresses.
  const allowed = place === 'params' ? ['', '\u0000'] : isList(parameter) ? [TWO_ADDRESSES] : [];
  const wrong = WRONG[kind].filter((value) => !allowed.includes(value));
  // No error may repeat a long value, whichever check refuses it.
  const tried = new Set([...someOf(parameter, wrong, 3), ...wrong.filter(({ length }) => length > 1_000)]);
  const texts = [...tried].map((value) => [value, withValue(value)] as const);
  if (place === 'body') return [...texts, ...wrongInBody(parameter, input)];
  const garbage = takesAnything(kind) ? [] : someOf(parameter, RAW_GARBAGE, 2);
  if (place === 'params') {
    const filled = withValue('GARBAGE');
    return [
      ...texts,
      ...garbage.map((raw) => [raw, { ...filled, url: filled.url.replace('GARBAGE', raw) }] as const),
    ];
  }
  const rest = without(input, parameter);
  const value = kind === 'address' ? '1'.repeat(32) : '5';
  return [
    ...texts,
    ...garbage.map((raw) => [raw, askOf(operation, rest, `${parameter.name}=${raw}`)] as const),
    ...(isList(parameter) ? [] : [['given twice', withValue([value, value])] as const]),
  ];
}

/** A parameter of a builder that is missing, or not of its type. */
function wrongInBody(parameter: Ranked, input: ExampleInput): (readonly [label: string, ask: Ask])[] {
  const { operation, kind, required } = parameter;
  if (operation.tag !== 'Builders') return [];
  const missing = ['missing', askOf(operation, without(input, parameter))] as const;
  const others = someOf(parameter, wrongJson(kind), 2).map(
    (value) => [JSON.stringify(value), askOf(operation, changed(input, parameter, value))] as const,
  );
  return required ? [missing, ...others] : others;
}

describe('invalid input is rejected with the error body of its family, without reading the chain', () => {
  const given = OPERATIONS.filter((each) => PARAMETERS.some(({ operation }) => operation === each));

  it.each(given)('$method $path', async (operation) => {
    const faults: Record<string, string[]> = {};
    for (const parameter of PARAMETERS.filter((each) => each.operation === operation)) {
      for (const [label, ask] of wrongInputs(parameter)) {
        world.proxy.reset();
        const found = await faultsOf(parameter, ask);
        // An amount below nothing is refused by its mint alone.
        const mayRead = parameter.kind === 'amount' && label === '-1';
        if (world.proxy.calls.length > 0 && !mayRead) found.push('read the chain');
        if (found.length > 0) faults[`${parameter.place}, ${parameter.name}: ${label.slice(0, 60)}`] = found;
      }
    }
    expect(faults).toEqual({});
  });

  it('tries every wrong value of every kind', () => {
    const tried = (parameter: Ranked) => someOf(parameter, WRONG[parameter.kind], 3);
    for (const kind of new Set(PARAMETERS.map((each) => each.kind))) {
      const ofKind = PARAMETERS.filter((each) => each.kind === kind);
      expect(new Set(ofKind.flatMap(tried)), kind).toEqual(new Set(WRONG[kind]));
    }
  });
});

describe('texts that match nothing', () => {
  const texts = PARAMETERS.filter(({ kind }) => kind === 'text').map((parameter) => ({
    ...parameter,
    title: `${parameter.operation.path}, ${parameter.place}, ${parameter.name}`,
  }));
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
