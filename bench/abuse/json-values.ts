import { Random } from '@sluice/localnet/world/prng';
import { isPossible, stranger } from './arguments.ts';
import { type AddressKind, type Cast, kindAt, nth } from './cast.ts';
import type { Knobs } from './knobs.ts';
import { hoursAgo, signedTransaction } from './placeholders.ts';

/** The part of JSON Schema that OpenAPI documents and tools use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly description?: string;
}

export interface JsonValuesOptions {
  readonly cast: Cast;
  readonly knobs: Knobs;
  readonly number: number;
  /** By the last part of their references. */
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  /** Optional properties that are given, in percent; none with draw 0. */
  readonly optionalPercent: number;
}

/** Without which most requests are refused. */
const ALWAYS_GIVEN = new Set(['obligation', 'changePct']);
const ADDRESS_PATTERN = /^\^\[1-9A-HJ/;
/** Strings without a pattern that are addresses. */
const ADDRESS_NAME =
  /^(address(es)?|(wallet|owner|market|reserve|obligation|vault|kvault|mint|token)s?|farms|signers|lookupTables|\w*(Address|Reserve|Wallet|Payer|Mint)|seed\d)$/;
/** Of an earlier answer, or refused in nearly all combinations. */
export const NEVER_GIVEN = new Set([
  ...['after', 'cursor', 'view', 'minSlot', 'paginationToken', 'operationName', 'env', 'kind'],
  ...[
    'feePayer',
    'minSharesOut',
    'slippageBps',
    'rewardTypes',
    'unwrapSol',
    'durableNonce',
    'tip',
    'signers',
  ],
  'priorityFeeMicroLamports',
]);
const MAX_NESTED_ITEMS = 6;
/** An address whose kind its place does not tell. */
const ANY_KIND = ['wallet', 'vault', 'market', 'reserve', 'obligation', 'mint'] as const;
const HOURS_AGO = [24 * 365 * 6, 24 * 365, 24 * 90, 24 * 7, 24, 1];
const AMOUNTS = ['0.01', '0.001'];
const WHOLE_AMOUNT = /lamports|minOut|inAmount|seconds|units$/i;
const AMOUNT = /amount|health|apy|usd|pct|min|max|tokens|shares|^value$/i;
/** A block height. */
const NEVER_PASSED = '4000000000';
const TEXTS = ['USDC', 'Season1', 'a'];

/** Generates values that fit JSON schemas. */
export class JsonValues {
  readonly #options: JsonValuesOptions;
  readonly #random: Random;
  /** The number of the address that an object of a list names; null outside of one. */
  #item: number | null = null;

  /** @param label of what the values are for */
  constructor(options: JsonValuesOptions, label: string) {
    this.#options = options;
    this.#random = new Random('json', options.knobs.draw, label);
  }

  /** @param place names of the properties that lead to it */
  of(given: JsonSchema, place: readonly string[]): unknown {
    const schema = this.#resolved(given);
    const type = typeof schema.type === 'object' ? schema.type[0] : schema.type;
    if (schema.enum !== undefined) return this.#random.pick(schema.enum.filter(isPossible));
    if (schema.anyOf !== undefined) return this.of(this.#random.pick(schema.anyOf), place);
    if (type === 'object') return this.#object(schema, place);
    if (type === 'array') return this.#array(schema, place);
    if (type === 'boolean') return this.#random.chance(50);
    if (type === 'integer' || type === 'number') return this.#numberOf(schema, place);
    return this.#text(schema, place);
  }

  #resolved(schema: JsonSchema): JsonSchema {
    if (schema.$ref === undefined) return schema;
    const found = this.#options.definitions[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
    if (found === undefined) throw new Error(`there is no ${schema.$ref}`);
    return found;
  }

  #object(schema: JsonSchema, place: readonly string[]): Record<string, unknown> {
    const { definitions, knobs, optionalPercent } = this.#options;
    // The tool `simulate` takes the actions of `prepare`, without a schema of its own.
    const {
      properties,
      required = [],
      maxProperties,
      description = '',
    } = schema.properties === undefined ? (definitions.BuildAction ?? schema) : schema;
    // A supposed price is a change or a value, and options are those of the whole plan.
    const isExcluded = (name: string) =>
      (name === 'usd' && properties?.changePct !== undefined) ||
      (name === 'options' && place.includes('actions'));
    const all = Object.entries(properties ?? {}).filter(
      ([name]) => !NEVER_GIVEN.has(name) && !isExcluded(name),
    );
    // Of an obligation either its address or what it is derived from.
    if (properties?.address !== undefined && properties.tag !== undefined)
      return { address: this.of(properties.address, [...place, 'address']) };
    const isOneOf = maxProperties === 1 || description.includes('exactly one field');
    const isGiven = (name: string) =>
      required.includes(name) ||
      ALWAYS_GIVEN.has(name) ||
      (knobs.draw !== 0 && this.#random.chance(optionalPercent));
    const given =
      isOneOf && all.length > 0 ? [this.#random.pick(all)] : all.filter(([name]) => isGiven(name));
    return Object.fromEntries(given.map(([name, each]) => [name, this.of(each, [...place, name])]));
  }

  #array(
    { items = {}, maxItems = Number.POSITIVE_INFINITY }: JsonSchema,
    place: readonly string[],
  ): unknown[] {
    const { knobs, number } = this.#options;
    const inner = this.#resolved(items);
    const isNested = inner.type === 'object' && place.length > 1;
    const most = isNested || place.at(-1) === 'actions' ? MAX_NESTED_ITEMS : maxItems;
    const length = Math.min(knobs.list, most, maxItems);
    if (isAddress(inner, place))
      return Array.from({ length }, (_, i) => this.#address(place, number * length + i));
    return Array.from({ length }, (_, i) => {
      // All actions of a plan are those of one wallet.
      this.#item = inner.type === 'object' && place.at(-1) !== 'actions' ? number * length + i : null;
      const item = this.of(inner, place);
      this.#item = null;
      return item;
    });
  }

  #numberOf({ minimum = 0, maximum = 5_000 }: JsonSchema, place: readonly string[]): number {
    const { page, points } = this.#options.knobs;
    return Math.max(minimum, Math.min(maximum, place.at(-1) === 'maxPoints' ? points : 10 * page));
  }

  #text(schema: JsonSchema, place: readonly string[]): string {
    const { knobs, number } = this.#options;
    const name = place.at(-1) ?? '';
    if (name === 'transaction') return signedTransaction(knobs.draw, number);
    if (schema.format === 'byte' || name === 'data') return 'AAAA';
    if (isAddress(schema, place)) return this.#address(place, number);
    if (name === 'start') return hoursAgo(this.#random.pick(HOURS_AGO));
    if (name === 'end') return hoursAgo(0);
    if (name === 'lastValidBlockHeight') return NEVER_PASSED;
    if (WHOLE_AMOUNT.test(name)) return '1000000';
    if (AMOUNT.test(name)) return this.#random.pick(AMOUNTS);
    return this.#random.pick(TEXTS);
  }

  #address(place: readonly string[], number: number): string {
    const { cast, knobs } = this.#options;
    const kind: AddressKind =
      place.at(-1) === 'address' && place.length === 1 ? nth(ANY_KIND, knobs.draw) : kindAt(place);
    if (knobs.strangers) return stranger(kind, this.#item ?? number);
    return this.#item === null ? nth(cast.members, number)[kind] : nth(cast.all[kind], this.#item);
  }
}

const isAddress = ({ pattern = '' }: JsonSchema, place: readonly string[]): boolean =>
  ADDRESS_PATTERN.test(pattern) || ADDRESS_NAME.test(place.at(-1) ?? '');
