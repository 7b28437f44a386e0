import {
  buildSchema,
  getIntrospectionQuery,
  getOperationAST,
  introspectionFromSchema,
  isInterfaceType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { longestArray, measureQuery, type Variables } from '../../src/graphql/cost/measure.ts';
import { LIST_SIZES, READ_COSTS } from '../../src/graphql/cost/weights.ts';
import { schema } from '../../src/graphql/schema.ts';

/** Uses type names from the tables of weights. */
const small = buildSchema(`
  type Query { vault: Vault vaults(first: Int, last: Int): VaultConnection! nodes(ids: [ID!]!): [Node]! wallet: Wallet search(in: In): Vault }
  input In { any: [[Int!]!] }
  interface Node { id: ID! }
  type Vault implements Node { id: ID! name: String token: Token allocations: [Allocation!]! others: [Vault!]! metricsHistory(maxPoints: Int): VaultHistory }
  type VaultHistory { points: [VaultPoint!]! complete: Boolean! }
  type VaultPoint { timestamp: String reserves: [Allocation!]! token: Token }
  type Allocation { reserve: Vault }
  type Token { symbol: String vaults(first: Int, last: Int): VaultConnection! }
  type Wallet { address: String vault: Vault }
  type VaultConnection { edges: [VaultEdge!]! nodes: [Vault]! pageInfo: PageInfo! totalCount: Int }
  type VaultEdge { cursor: String! node: Vault }
  type PageInfo { hasNextPage: Boolean! }
`);

function measure(text: string, variables: Variables = {}, of = small) {
  const document = parse(text);
  expect(validate(of, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (operation === null || operation === undefined) throw new Error('the document has no operation');
  return measureQuery({ schema: of, document, operation, variables });
}

/** Aliases of a scalar. */
const scalars = (until: number, from = 0) =>
  Array.from({ length: until - from }, (_, i) => `s${from + i}: name`).join(' ');

describe('the cost of a query', () => {
  it.each([
    ['scalars are free', '{ __typename }', 0],
    ['an object costs one', '{ vault { id name } }', 1],
    ['nine scalars are free', `{ vault { ${scalars(9)} } }`, 1],
    ['ten scalars cost another one', `{ vault { ${scalars(10)} } }`, 2],
    [
      'so do scalars in fragments',
      `{ vault { ${scalars(5)} ... { ${scalars(10, 5)} } ...F } } fragment F on Vault { ${scalars(15, 10)} __typename }`,
      2,
    ],
    ['scalars of every item count', `{ vaults(first: 5) { nodes { ${scalars(20)} } } }`, 1 + 5 * 3],
    ['a nested object costs another one', '{ vault { token { symbol } } }', 2],
    ['each alias is counted', '{ a: vault { id } b: vault { id } }', 2],
    ['a connection without items', '{ vaults { totalCount } }', 1],
    ['a page is 20 by default', '{ vaults { nodes { id } } }', 1 + 20],
    ['first', '{ vaults(first: 5) { nodes { id } } }', 1 + 5],
    ['last', '{ vaults(last: 7) { nodes { id } } }', 1 + 7],
    ['an empty page', '{ vaults(first: 0) { nodes { id } } }', 1],
    ['a page size above the maximum is capped', '{ vaults(first: 1000000) { nodes { id } } }', 1 + 100],
    ['a negative page size counts as zero', '{ vaults(first: -5) { nodes { id } } }', 1],
    ['edges cost what nodes cost', '{ vaults(first: 5) { edges { cursor node { id } } } }', 1 + 5],
    ['edges and nodes cost both', '{ vaults(first: 5) { edges { node { id } } nodes { id } } }', 1 + 5 + 5],
    ['edges without their nodes cost as much', '{ vaults(first: 5) { edges { cursor } } }', 1 + 5],
    ['pageInfo is an object', '{ vaults(first: 5) { nodes { id } pageInfo { hasNextPage } } }', 1 + 5 + 1],
    [
      'pages multiply',
      '{ vaults(first: 5) { nodes { token { vaults(first: 3) { nodes { id } } } } } }',
      1 + 5 * (2 + 1 + 3),
    ],
    ['a plain list has the size from the table', '{ vault { allocations { reserve { id } } } }', 1 + 8 * 2],
    ['a plain list of unknown size is 20', '{ vault { others { id } } }', 1 + 20],
    [
      'a series costs its points even if they are not selected',
      '{ vault { metricsHistory { complete } } }',
      1 + 20 + 1 + 500,
    ],
    [
      'a series has 500 points by default',
      '{ vault { metricsHistory { points { timestamp } } } }',
      1 + 20 + 1 + 500,
    ],
    [
      'maxPoints sets the size of a series',
      '{ vault { metricsHistory(maxPoints: 30) { points { token { symbol } reserves { reserve { id } } } } } }',
      1 + 20 + 1 + 30 * (1 + 1 + 8 * 2),
    ],
    [
      'maxPoints above the maximum is capped',
      '{ vault { metricsHistory(maxPoints: 9999999) { points { timestamp } } } }',
      1 + 20 + 1 + 5_000,
    ],
    ['nodes has as many items as ids', '{ nodes(ids: ["a", "b", "c"]) { id } }', 3 * (10 + 1)],
    ['a read for a wallet adds its read cost', '{ wallet { address vault { id } } }', 1 + 500 + 1],
    ['skipped fields are free', '{ vault @skip(if: true) { id } a: vault @include(if: false) { id } }', 0],
    [
      'a fragment is counted at each spread',
      '{ vaults { ...P } a: vaults(first: 2) { ...P } } fragment P on VaultConnection { nodes { id } }',
      21 + 3,
    ],
    ['an inline fragment is counted', '{ nodes(ids: ["a"]) { ... on Vault { token { symbol } } } }', 10 + 2],
  ])('%s', (_, text, cost) => {
    expect(measure(text).cost).toBe(cost);
  });

  const history = (args: string, of = 'metricsHistory') =>
    `{ vault(address: "11111111111111111111111111111111") { ${of}${args} { points { timestamp } } } }`;

  it.each([
    ['last: H24, interval: MINUTE', 500],
    ['last: H24, interval: MINUTE, maxPoints: 5000', 1_441],
    ['last: H24, interval: HOUR', 25],
    ['last: H24', 25],
    ['last: D7, interval: DAY', 8],
    ['last: D30, interval: DAY', 31],
    ['last: D30, interval: DAY, maxPoints: 10', 10],
    ['last: D365, interval: DAY', 366],
    ['last: D365', 500],
    ['interval: DAY', 500],
    ['last: null, interval: DAY', 500],
  ])('a series of a period has at most its buckets: %s', (args, points) => {
    expect(measure(history(`(${args})`), {}, schema).cost).toBe(1 + 20 + 1 + points);
  });

  it.each([
    ['H24', '2026-03-01'],
    ['D7', '2026-03-07'],
    ['D30', '2026-03-30'],
  ])('a range as long as %s costs the same', (last, end) => {
    for (const interval of ['MINUTE', 'HOUR', 'DAY', null]) {
      const rest = `interval: ${interval}, maxPoints: 5000`;
      const relative = measure(history(`(last: ${last}, ${rest})`), {}, schema);
      const absolute = `(range: { start: "2026-02-28", end: "${end}" }, ${rest})`;
      expect(measure(history(absolute), {}, schema)).toEqual(relative);
      const variables = { range: { start: new Date('2026-02-28'), end: new Date(end) } };
      const text = history(`(range: $range, ${rest})`);
      expect(measure(`query ($range: TimeRange) ${text}`, variables, schema)).toEqual(relative);
    }
    expect(measure(`query ($last: Period) ${history('(last: $last)')}`, { last }, schema)).toEqual(
      measure(history(`(last: ${last})`), {}, schema),
    );
  });

  it('counts `maxPoints` for a range without an end, and for points that are not buckets', () => {
    const range = '(range: { start: "2026-02-28" }, interval: DAY)';
    expect(measure(history(range), {}, schema).cost).toBe(1 + 20 + 1 + 500);
    const day = '(range: { start: "2026-02-28", end: "2026-03-01" })';
    expect(measure(history(day, 'allocationVolume'), {}, schema).cost).toBe(1 + 100 + 1 + 500);
  });

  it('uses variables and their defaults', () => {
    const text =
      'query ($n: Int = 9, $w: Boolean!, $ids: [ID!]!) { vaults(first: $n) { nodes { id } } vault @include(if: $w) { id } nodes(ids: $ids) { id } }';
    expect(measure(text, { n: 4, w: true, ids: ['a', 'b'] }).cost).toBe(5 + 1 + 22);
    expect(measure(text, { n: 9, w: false, ids: [] }).cost).toBe(10 + 0 + 0);
  });

  it('counts the bytes of accounts', () => {
    const address = '11111111111111111111111111111111';
    expect(measure(`{ reserve(address: "${address}") { accountData } }`, {}, schema).cost).toBe(1 + 10);
  });

  describe('of positions', () => {
    const [one, two] = ['11111111111111111111111111111111', 'So11111111111111111111111111111111111111112'];
    const id = (wallet: string, type = 'VaultPosition') =>
      Buffer.from(`${type}:${wallet}:${two}`).toString('base64');
    const position = (wallet: string) => `position(wallet: "${wallet}") { totalShares }`;

    it.each([
      ['a search and an account', `{ vault(address: "${one}") { ${position(one)} } }`, 500 + 1 + 11],
      [
        'one search for all vaults of a wallet',
        `{ vaults(first: 50) { nodes { ${position(one)} } } }`,
        500 + 1 + 50 * 12,
      ],
      [
        'a search for each wallet',
        `{ vault(address: "${one}") { a: ${position(one)} b: ${position(two)} c: ${position(one)} } }`,
        1_000 + 1 + 33,
      ],
      [
        'one search through a fragment that is spread twice',
        `{ a: vault(address: "${one}") { ...P } b: vault(address: "${two}") { ...P } } fragment P on Vault { ${position(one)} }`,
        500 + 2 * (1 + 11),
      ],
      [
        'none for what is skipped',
        `{ vault(address: "${one}") { ... @skip(if: true) { ${position(one)} } } }`,
        1,
      ],
      ['a search for a node', `{ node(id: "${id(one)}") { id } }`, 500 + 10 + 1],
      [
        'a search for each wallet of the nodes',
        `{ nodes(ids: ["${id(one)}", "${id(one)}", "${id(two)}", "${id(one, 'ElevationGroup')}", "?"]) { id } }`,
        1_000 + 5 * 11,
      ],
    ])('%s', (_, text, cost) => {
      expect(measure(text, {}, schema).cost).toBe(cost);
    });

    it('counts the wallets in variables', () => {
      const text =
        'query ($a: Address!, $b: Address!, $ids: [ID!]!) { vault(address: $a) { a: position(wallet: $a) { totalShares } b: position(wallet: $b) { totalShares } } nodes(ids: $ids) { id } }';
      expect(measure(text, { a: one, b: one, ids: [id(one)] }, schema).cost).toBe(500 + 1 + 22 + 11);
      expect(measure(text, { a: one, b: two, ids: [id(two), id(two)] }, schema).cost).toBe(
        1_000 + 1 + 22 + 22,
      );
    });
  });

  it('does not depend on how a query is split into fragments', () => {
    const whole =
      '{ vaults(first: 3) { nodes { id token { symbol vaults(last: 2) { edges { node { name } } } } } } }';
    const split = `
      { ...Q } fragment Q on Query { vaults(first: 3) { nodes { ...V } } }
      fragment V on Vault { id token { ...T } } fragment T on Token { symbol vaults(last: 2) { ...C } }
      fragment C on VaultConnection { edges { node { ... on Vault { name } } } }`;
    expect(measure(split)).toEqual(measure(whole));
  });

  it('walks each fragment once, however often it is spread', () => {
    // Without memoization this would take 2^60 steps.
    const levels = 60;
    const fragments = Array.from(
      { length: levels },
      (_, i) =>
        `fragment F${i} on Vault { a: token { symbol } ${i + 1 < levels ? `...F${i + 1} ...F${i + 1}` : 'id'} }`,
    );
    expect(measure(`{ vault { ...F0 } } ${fragments.join(' ')}`).cost).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('terminates on cyclic fragments, which validation rejects', () => {
    const document = parse(
      '{ vault { ...A } } fragment A on Vault { token { symbol } ...B } fragment B on Vault { id ...A }',
    );
    const operation = getOperationAST(document);
    if (operation === null || operation === undefined) throw new Error('the document has no operation');
    expect(measureQuery({ schema: small, document, operation, variables: {} }).cost).toBe(2);
  });
});

describe('other measures', () => {
  it('depth counts nested fields, through fragments', () => {
    expect(measure('{ vault { id } }').depth).toBe(2);
    expect(
      measure('{ vaults { edges { node { token { ...T } } } } } fragment T on Token { symbol }').depth,
    ).toBe(5);
  });

  it('aliases and directives are counted once where they are written', () => {
    const { aliases, directives } = measure(
      `query ($w: Boolean!) {
      vault: vault { id } a: vault @include(if: $w) { ...V @skip(if: $w) ...V } b: vault { x: name }
    } fragment V on Vault { y: id name @include(if: $w) }`,
      { w: true },
    );
    expect({ aliases, directives }).toEqual({ aliases: 4, directives: 3 });
  });

  it('longestList is the longest list in arguments', () => {
    expect(
      measure('{ nodes(ids: ["a", "b"]) { id } search(in: { any: [[1, 2, 3], []] }) { id } }').longestList,
    ).toBe(3);
    expect(longestArray({ ids: ['a'], in: { any: [[1, 2, 3, 4]] }, text: 'abcdefgh', none: null })).toBe(4);
  });
});

describe('introspection', () => {
  const nested =
    '{ __schema { types { name fields { name args { name type { name ofType { name ofType { name ofType { name } } } } } } } } }';

  it('has a cost and no depth', () => {
    expect(measure(nested, {}, schema)).toMatchObject({ depth: 0 });
    expect(measure(nested, {}, schema).cost).toBeGreaterThan(1_000);
    expect(measure('{ __type(name: "Vault") { name } }', {}, schema).cost).toBe(1);
  });

  it('of the whole schema costs about as much as it has objects', () => {
    const query = getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true });
    const objects = objectsIn(introspectionFromSchema(schema));
    const { cost } = measure(query, {}, schema);
    expect(cost).toBeGreaterThan(objects);
    expect(cost).toBeLessThan(4 * objects);
  });
});

describe('the tables of weights', () => {
  it.each([...Object.keys(LIST_SIZES), ...Object.keys(READ_COSTS)])(
    '%s is a field of the graph',
    (coordinate) => {
      const [typeName = '', fieldName = ''] = coordinate.split('.');
      const type = schema.getType(typeName);
      const fields = isObjectType(type) || isInterfaceType(type) ? Object.keys(type.getFields()) : [];
      expect(fieldName === '*' ? fields.length > 0 : fields.includes(fieldName)).toBe(true);
    },
  );
});

function objectsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>(
    (sum, each) => sum + objectsIn(each),
    Array.isArray(value) ? 0 : 1,
  );
}
