import { labelledAddress, Random } from '@sluice/localnet/world/prng';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { type AddressKind, type Cast, kindAt, nth } from './cast.ts';
import type { Knobs } from './knobs.ts';
import { hoursAgo, signedTransaction } from './placeholders.ts';

const PLAN_ACTIONS = 6;
const OPTIONAL_PERCENT = 40;
/** Of an earlier answer, or refused in nearly all combinations. */
const NEVER_GIVEN = new Set([
  ...['after', 'before', 'cursor'],
  ...['feePayer', 'unwrapSol', 'durableNonce', 'tip', 'signers', 'priorityFeeMicroLamports'],
]);
/** Only the wallet signs for a swap. */
export const isPossible = (name: string): boolean => !name.endsWith('_SIGNER');
const SCALARS: Readonly<Record<string, readonly string[]>> = {
  Boolean: ['true', 'false'],
  Int: ['0', '1', '2'],
  Float: ['0', '1.5'],
  String: ['"Vault"', '""', '"a"', '"USDC"', '"Season1"'],
  Decimal: ['"0"', '"0.01"', '"1"', '"1000000"'],
  U64: ['"0"', '"1"', '"1000000"'],
  BigInt: ['"1"'],
  // Data of an instruction.
  Base64: ['"AAAA"'],
  JSON: ['{}'],
};
/** From all of recorded time to an hour of it, relative to now. */
const HOURS_AGO = [24 * 365 * 6, 24 * 365, 24 * 90, 24 * 7, 24, 1];
/** Types of nodes with ids made of one address. */
const NODES: Readonly<Record<string, AddressKind>> = {
  Vault: 'vault',
  Reserve: 'reserve',
  Market: 'market',
  Token: 'mint',
  Obligation: 'obligation',
  Curator: 'curator',
};

/** Writes the arguments of a request as literals. */
export class Arguments {
  readonly #cast: Cast;
  readonly #knobs: Knobs;
  /** The member of the cast that the next field names; counts on, so that no two fields name the same. */
  #member: number;
  /** The number of the address that an object of a list names; null outside of one. */
  #item: number | null = null;

  /** @param first the first member of the cast to name */
  constructor(cast: Cast, knobs: Knobs, first: number) {
    this.#cast = cast;
    this.#knobs = knobs;
    this.#member = first;
  }

  /**
   * The arguments of a field in parentheses; empty for none.
   *
   * @param node type of the node that the field returns, for an argument that is an id
   */
  of(field: GraphQLField<unknown, unknown>, node: string): string {
    const random = new Random('arguments', this.#knobs.draw, field.name);
    const given = field.args.flatMap((argument) => {
      const value = this.#argument(argument, [node, field.name, argument.name], random);
      return value === null ? [] : [`${argument.name}: ${value}`];
    });
    this.#member += 1;
    return given.length === 0 ? '' : `(${given.join(', ')})`;
  }

  #argument(argument: GraphQLArgument, place: readonly string[], random: Random): string | null {
    const { name, type } = argument;
    if (name === 'first') return String(this.#knobs.page);
    if (name === 'maxPoints') return String(this.#knobs.points);
    // `first` is given, and a page has one direction. The `last` of a series is an enum.
    if (NEVER_GIVEN.has(name) || (name === 'last' && !isEnumType(type))) return null;
    const isList = isListType(isNonNullType(type) ? type.ofType : type);
    if (!isRequiredArgument(argument) && !isList && !this.#isDrawn(random)) return null;
    return this.#value(type, place, random);
  }

  #isDrawn(random: Random): boolean {
    return this.#knobs.draw !== 0 && random.chance(OPTIONAL_PERCENT);
  }

  #value(type: GraphQLInputType, place: readonly string[], random: Random): string {
    if (isNonNullType(type)) return this.#value(type.ofType, place, random);
    if (isListType(type)) return this.#list(type.ofType, place, random);
    if (isInputObjectType(type)) return this.#object(type, place, random);
    if (isEnumType(type)) return random.pick(type.getValues().filter(({ name }) => isPossible(name))).name;
    if (type.name === 'Address') return JSON.stringify(this.#address(kindAt(place), this.#member));
    if (type.name === 'ID') return JSON.stringify(this.#id(place[0] ?? '', this.#member));
    if (type.name === 'Base64' && place.at(-1) === 'transaction')
      return JSON.stringify(signedTransaction(this.#knobs.draw, this.#member));
    if (type.name === 'DateTime')
      return JSON.stringify(hoursAgo(place.at(-1) === 'end' ? 0 : random.pick(HOURS_AGO)));
    return random.pick(SCALARS[type.name] ?? ['""']);
  }

  #list(type: GraphQLInputType, place: readonly string[], random: Random): string {
    const inner = isNonNullType(type) ? type.ofType : type;
    const start = this.#member * this.#knobs.list;
    const items = Array.from({ length: this.#lengthOf(inner, place) }, (_, i) => {
      if (isEnumType(inner)) return nth(inner.getValues(), i).name;
      if (!('name' in inner) || (inner.name !== 'Address' && inner.name !== 'ID')) {
        // All actions of a plan are those of one wallet.
        this.#item = isInputObjectType(inner) && inner.name !== 'BuildAction' ? start + i : null;
        const item = this.#value(inner, place, random);
        this.#item = null;
        return item;
      }
      const value =
        inner.name === 'ID' ? this.#id(place[0] ?? '', start + i) : this.#listed(kindAt(place), start + i);
      return JSON.stringify(value);
    });
    return `[${[...new Set(items)].join(', ')}]`;
  }

  /** A plan is refused with more than six actions, and lists of objects in a list of objects multiply. */
  #lengthOf(type: GraphQLInputType, place: readonly string[]): number {
    const { list } = this.#knobs;
    if (!isInputObjectType(type)) return list;
    return type.name === 'BuildAction' || place.length > 1 ? Math.min(list, PLAN_ACTIONS) : list;
  }

  #object(type: GraphQLInputObjectType, place: readonly string[], random: Random): string {
    const fields = Object.values(type.getFields());
    const given = type.isOneOf
      ? [random.pick(fields)]
      : fields.filter((field) => isRequiredInputField(field) || this.#isGiven(field.name, random));
    const parts = given.map(
      (field) => `${field.name}: ${this.#value(field.type, [...place, field.name], random)}`,
    );
    return `{${parts.join(', ')}}`;
  }

  /** A supposed price is a change, not a value too. */
  #isGiven(name: string, random: Random): boolean {
    return name === 'changePct' || (name !== 'usd' && !NEVER_GIVEN.has(name) && this.#isDrawn(random));
  }

  #address(kind: AddressKind, number: number): string {
    if (this.#item !== null) return this.#listed(kind, this.#item);
    return this.#knobs.strangers ? stranger(kind, number) : nth(this.#cast.members, number)[kind];
  }

  #listed(kind: AddressKind, number: number): string {
    return this.#knobs.strangers ? stranger(kind, number) : nth(this.#cast.all[kind], number);
  }

  #id(node: string, number: number): string {
    const type = node in NODES ? node : nth(Object.keys(NODES), number);
    return Buffer.from(`${type}:${this.#listed(NODES[type] ?? 'vault', number)}`).toString('base64');
  }
}

/** An address without an account. */
export const stranger = (kind: AddressKind, number: number): string => labelledAddress('abuse', kind, number);
