import { Random } from '@sluice/localnet/world/prng';
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
  OperationTypeNode,
} from 'graphql';
import { GeneratedArguments, type ValuePool } from './query-arguments.ts';

export interface GeneratedQuery {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface QueryGeneratorOptions {
  readonly schema: GraphQLSchema;
  readonly seed: number;
  readonly pool: ValuePool;
  /** Fields never selected, such as `ChainStatus.viewAgeMs`, whose value changes between two executions. */
  readonly without: readonly string[];
  /** By default a query. */
  readonly operation?: OperationTypeNode;
}

type Composite = GraphQLNamedType;

const MAX_DEPTH = 6;
/** Per query: enough for several levels, few enough for thousands of queries. */
const MAX_FIELDS = 45;

/**
 * Generates random queries over a schema: selections, aliases, merged fields, named and inline fragments with and without
 * type conditions, directives with constants and variables, arguments of every kind. Most are valid; the caller skips
 * those with conflicting fields.
 */
export class QueryGenerator {
  readonly #options: QueryGeneratorOptions;
  readonly #random: Random;
  #arguments: GeneratedArguments;
  #fragments: { readonly name: string; readonly type: string; readonly text: string }[] = [];
  #aliases = 0;
  #fields = 0;

  constructor(options: QueryGeneratorOptions) {
    this.#options = options;
    this.#random = new Random('queries', options.seed);
    this.#arguments = new GeneratedArguments(this.#random, options.pool);
  }

  next(): GeneratedQuery {
    this.#arguments = new GeneratedArguments(this.#random, this.#options.pool);
    this.#fragments = [];
    this.#aliases = 0;
    this.#fields = 0;
    const { schema, operation = OperationTypeNode.QUERY } = this.#options;
    const root = schema.getRootType(operation);
    if (!root) throw new Error(`the schema has no ${operation} type`);
    const body = this.#selection(root, 0);
    const declared = this.#arguments.declarations;
    const head = declared.length === 0 ? `${operation} Q` : `${operation} Q(${declared.join(', ')})`;
    const fragments = this.#fragments.map(({ name, type, text }) => `fragment ${name} on ${type} ${text}`);
    return { query: [`${head} ${body}`, ...fragments].join('\n'), variables: this.#arguments.variables };
  }

  #selection(type: Composite, depth: number): string {
    const parts: string[] = [];
    const wanted = depth === 0 ? this.#random.between(1, 3) : this.#random.between(1, 6);
    for (let i = 0; i < wanted; i += 1) parts.push(this.#part(type, depth));
    const some = parts.filter((part) => part !== '');
    return `{ ${some.length === 0 ? '__typename' : some.join(' ')} }`;
  }

  #part(type: Composite, depth: number): string {
    const choice = this.#random.below(100);
    if (isUnionType(type) || choice < 8) return this.#inline(type, depth);
    if (choice < 14) return this.#spread(type, depth);
    if (choice < 17) return `__typename${this.#directive()}`;
    return this.#field(type, depth);
  }

  #field(type: Composite, depth: number): string {
    if (!isObjectType(type) && !isInterfaceType(type)) return '';
    this.#fields += 1;
    const full = depth >= MAX_DEPTH || this.#fields > MAX_FIELDS;
    const fields: GraphQLField<unknown, unknown>[] = Object.values(type.getFields()).filter(
      (field) =>
        !this.#options.without.includes(`${type.name}.${field.name}`) &&
        (!full || (isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument))),
    );
    if (fields.length === 0) return '';
    const field = this.#random.pick(fields);
    const args = this.#arguments.of(field);
    // Fields with the same response key must not conflict: a field with arguments gets an alias.
    const named = args !== '' || isInterfaceType(type) || this.#random.chance(15);
    if (named) this.#aliases += 1;
    const alias = named ? `a${this.#aliases}: ` : '';
    const result = getNamedType(field.type);
    const head = `${alias}${field.name}${args}${this.#directive()}`;
    if (isLeafType(result)) return head;
    const selected = `${head} ${this.#selection(result, depth + 1)}`;
    // Sometimes the same field again, to be merged with the first.
    return this.#random.chance(6) ? `${selected} ${head} ${this.#selection(result, depth + 1)}` : selected;
  }

  #inline(type: Composite, depth: number): string {
    const condition = this.#condition(type);
    const inner = condition ?? type;
    const on = condition === undefined ? '' : ` on ${condition.name}`;
    return `...${on}${this.#directive()} ${this.#selection(inner, depth)}`;
  }

  #spread(type: Composite, depth: number): string {
    const inner = this.#condition(type) ?? type;
    const known = this.#fragments.find((each) => each.type === inner.name);
    if (known !== undefined && this.#random.chance(50)) return `...${known.name}${this.#directive()}`;
    const text = this.#selection(inner, depth);
    const name = `F${this.#fragments.length + 1}`;
    this.#fragments.push({ name, type: inner.name, text });
    return `...${name}${this.#directive()}`;
  }

  /** A type condition that overlaps the type; undefined for none. */
  #condition(type: Composite): Composite | undefined {
    const { schema } = this.#options;
    if (isUnionType(type) || isInterfaceType(type)) {
      return this.#random.pick<GraphQLObjectType>([...schema.getPossibleTypes(type)]);
    }
    if (!isObjectType(type) || this.#random.chance(30)) return undefined;
    return this.#random.pick<GraphQLNamedType>([type, ...type.getInterfaces()]);
  }

  #directive(): string {
    if (!this.#random.chance(12)) return '';
    const name = this.#random.pick(['skip', 'include']);
    const shown = this.#random.chance(70);
    const value = name === 'include' ? shown : !shown;
    const text = this.#random.chance(60) ? this.#arguments.declare('Boolean!', value) : String(value);
    return ` @${name}(if: ${text})`;
  }
}
