import { passesQuickValidation } from '@sluice/graphql-executor';
import { Random } from '@sluice/localnet/world/prng';
import { buildSchema, type DocumentNode, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import { schema } from '../../src/graphql/schema.ts';
import { QueryGenerator } from '../support/execution/query-generator.ts';
import { deeplyNested, mutated } from '../support/fuzz/odd-documents.ts';

const DOCUMENTS = Number(process.env.GENERATED_QUERIES ?? cases(100, 1_000));
const MUTATIONS = 10;
const SEED = Number(process.env.GENERATED_SEED ?? 20261115);
const TIMEOUT_MS = DOCUMENTS * 1_000;

const SCALARS: Readonly<Record<string, readonly unknown[]>> = {
  Int: [0, 1, 7],
  Float: [0.5],
  Boolean: [true, false],
  Decimal: ['1', '0.5'],
  U64: ['0', '1'],
  DateTime: ['2026-05-01T00:00:00.000Z', 'never'],
  Address: ['So11111111111111111111111111111111111111112', 'nowhere'],
  JSON: [{}, [1]],
};
const pool = { scalar: (type: string) => SCALARS[type] ?? ['a', 'b'] };

function tryParse(text: string): DocumentNode | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

/** Replaces one name or number of the document by another of its own; the result usually parses. */
function swapWord(text: string, random: Random): string {
  const words = [...text.matchAll(/[\w-]+/g)];
  const [from, to] = [random.pick(words), random.pick(words)];
  return `${text.slice(0, to.index)}${from[0]}${text.slice(to.index + to[0].length)}`;
}

const small = buildSchema(`
  interface Named { name: String }
  type Cat implements Named { name: String lives: Int! friend: Dog }
  type Dog implements Named { name: String lives: Int friend: Cat says(loud: Boolean, times: Int! = 1): String }
  union Pet = Cat | Dog
  enum Kind { CAT DOG }
  input One @oneOf { a: Int b: Int }
  input Wish { kind: Kind! at: [Int!] inner: Wish count: Int! = 1 }
  type Query { pet(wish: Wish, id: ID): Pet named(ids: [ID!]!): [Named!]! cat: Cat dog: Dog one(of: One): Int }
  type Mutation { feed(id: ID!): Pet }
  type Subscription { fed: Pet }
`);

/** With as many merged fields as a mutation selects of its errors, under as many aliases as the gateway allows. */
const MANY_MERGED = Array.from(
  { length: 20 },
  (_, i) => `a${i}: pet { ${'... on Cat { lives friend { name } } '.repeat(15)} }`,
);

const VALID = [
  `{ ${MANY_MERGED.join(' ')} }`,
  '{ cat { name lives } }',
  '{ a: cat { name } b: cat { n: name __typename } }',
  '{ cat { name ...C ... on Named { name } ... { lives } } } fragment C on Cat { name friend { ...D } } fragment D on Dog { lives }',
  'query Q($w: Wish, $i: Int!, $k: Kind!) { pet(wish: $w) { ... on Cat { lives } } x: pet(wish: { kind: $k, at: [1, $i], inner: null }) { __typename } }',
  'query ($if: Boolean!, $ids: [ID!]! = ["a"]) { named(ids: $ids) { name @skip(if: $if) @include(if: true) } }',
  '{ named(ids: 1) { ... on Dog { says(loud: true) } } }',
  '{ cat { friend { name } friend { lives } } }',
  'mutation { feed(id: 5) { ... on Named { name } } }',
];

/** Each breaks at least one rule, most of them exactly one. */
const INVALID = [
  'type Other { a: Int }',
  'query A { cat { name } } query A { cat { name } }',
  '{ cat { name } } query B { cat { name } }',
  'subscription { fed { __typename } more: fed { __typename } }',
  'query ($a: Nothing) { pet(wish: $a) { __typename } }',
  '{ cat { ... on Nothing { name } } }',
  '{ cat { ... on Kind { name } } }',
  'query ($a: Cat) { pet(wish: $a) { __typename } }',
  '{ cat { name { length } } }',
  '{ cat }',
  '{ pet }',
  '{ cat { colour } }',
  '{ pet { name } }',
  '{ cat { ...A } } fragment A on Cat { name } fragment A on Cat { lives }',
  '{ cat { ...A } }',
  '{ cat { name } } fragment A on Cat { name }',
  '{ cat { ... on Dog { name } } }',
  '{ cat { ...D } } fragment D on Dog { name }',
  '{ cat { ...A } } fragment A on Cat { ...A }',
  '{ cat { ...A } } fragment A on Cat { friend { friend { ...A } } }',
  'query ($a: ID, $a: ID) { pet(id: $a) { __typename } }',
  '{ pet(id: $a) { __typename } }',
  '{ cat { friend { ...D } } } fragment D on Dog { says(loud: $a) }',
  'query ($a: ID) { cat { name } }',
  '{ cat @cached { name } }',
  'query @skip(if: true) { cat { name } }',
  '{ cat { name @skip(if: true) @skip(if: false) } }',
  '{ cat { name @skip } }',
  '{ cat { name @skip(if: 1) } }',
  '{ cat { name @skip(if: true, unless: true) } }',
  '{ cat { ...A } } fragment A on Cat @skip(if: true) { name }',
  '{ dog { says(quiet: true) } }',
  '{ dog { says(loud: true, loud: true) } }',
  '{ dog { says(loud: "yes") } }',
  '{ dog { says(times: null) } }',
  '{ named { name } }',
  '{ named(ids: [null]) { name } }',
  '{ named(ids: [[1]]) { name } }',
  '{ pet(wish: { kind: COW }) { __typename } }',
  '{ pet(wish: { kind: "CAT" }) { __typename } }',
  '{ pet(wish: {}) { __typename } }',
  '{ pet(wish: { kind: CAT, more: 1 }) { __typename } }',
  '{ pet(wish: { kind: CAT, kind: DOG }) { __typename } }',
  '{ pet(wish: { kind: CAT, inner: { at: 1 } }) { __typename } }',
  '{ pet(wish: 5) { __typename } }',
  '{ pet(id: 1.5) { __typename } }',
  '{ pet(id: [1]) { __typename } }',
  '{ one(of: { a: 1, b: 2 }) }',
  'query ($a: Int) { one(of: { a: $a }) }',
  'query ($a: Int = "1") { one(of: { a: $a }) }',
  'query ($a: ID) { named(ids: [$a]) { name } }',
  'query ($a: [ID]!) { named(ids: $a) { name } }',
  'query ($a: String) { pet(id: $a) { __typename } }',
  'query ($a: Boolean) { cat { name @skip(if: $a) } }',
  '{ cat { name name: lives } }',
  '{ x: pet(id: 1) { __typename } x: pet(id: 2) { __typename } }',
  '{ x: cat { name } x: dog { name } }',
  '{ pet { ... on Cat { lives } ... on Dog { lives } } }',
  '{ cat { friend { x: name } ...A } } fragment A on Cat { friend { x: lives } }',
  '{ pet { ... on Cat { friend { a: name } } ... on Dog { friend { a: lives } } } }',
  `{ ${'cat { name } '.repeat(800)} }`,
  '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
];

describe('quick validation', () => {
  it.each(VALID)('accepts %s', (text) => {
    const document = parse(text);
    expect(validate(small, document)).toEqual([]);
    expect(passesQuickValidation(small, document)).toBe(true);
  });

  it.each(INVALID)('rejects %s', (text) => {
    const document = tryParse(text);
    if (document === null) throw new Error('the document does not parse');
    expect(validate(small, document)).not.toEqual([]);
    expect(passesQuickValidation(small, document)).toBe(false);
  });

  it(
    'accepts no mutated document that breaks a rule',
    () => {
      const random = new Random('changes', SEED);
      const generator = new QueryGenerator({ schema, seed: SEED, pool, without: [] });
      const count = { valid: 0, accepted: 0, mutated: 0, mutatedAndAccepted: 0 };
      for (let i = 0; i < DOCUMENTS; i += 1) {
        const { query } = generator.next();
        const texts = [
          query,
          ...Array.from({ length: MUTATIONS }, (_, at) => (at % 2 ? swapWord : mutated)(query, random)),
        ];
        if (i % 10 === 0) texts.push(deeplyNested(random).slice(0, 20_000));
        for (const text of texts) {
          const document = tryParse(text);
          if (document === null) continue;
          const isAccepted = passesQuickValidation(schema, document);
          if (text !== query) count.mutated += 1;
          if (text !== query && isAccepted) count.mutatedAndAccepted += 1;
          if (text !== query && !isAccepted) continue;
          const errors = validate(schema, document);
          if (isAccepted) expect(errors, text).toEqual([]);
          if (text !== query || errors.length > 0) continue;
          count.valid += 1;
          if (isAccepted) count.accepted += 1;
        }
      }
      // The check is useful: it accepts most valid documents, and many mutations stay valid.
      expect(count.accepted).toBeGreaterThan(count.valid / 2);
      expect(count.mutated).toBeGreaterThan(DOCUMENTS);
      expect(count.mutatedAndAccepted).toBeGreaterThan(DOCUMENTS / 10);
    },
    TIMEOUT_MS,
  );
});
