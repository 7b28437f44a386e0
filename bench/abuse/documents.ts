import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';
import { Arguments } from './arguments.ts';
import { type Cast, nth } from './cast.ts';
import type { Knobs } from './knobs.ts';
import { objectTypesOf, type Path, type SchemaField, type Step } from './schema-fields.ts';

export interface DocumentOptions {
  readonly schema: GraphQLSchema;
  readonly cast: Cast;
}

/** A generated operation, with placeholders for values of the present. Two numbers give two operations, which name different accounts where there are enough. */
export function documentOf(
  options: DocumentOptions,
  field: SchemaField,
  knobs: Knobs,
  number: number,
): string {
  const path = nth(field.paths, knobs.path);
  return new Writer(options, path, knobs, number).write(number);
}

class Writer {
  readonly #schema: GraphQLSchema;
  readonly #arguments: Arguments;
  readonly #path: Path;
  readonly #knobs: Knobs;

  constructor({ schema, cast }: DocumentOptions, path: Path, knobs: Knobs, number: number) {
    this.#schema = schema;
    this.#path = path;
    this.#knobs = knobs;
    // Each copy of the path names one member for each of its steps, and so does each copy of the field.
    const named = knobs.rootCopies * path.steps.length + knobs.fieldCopies;
    this.#arguments = new Arguments(cast, knobs, number * named);
  }

  write(number: number): string {
    const { operation, steps } = this.#path;
    const [root, ...rest] = steps;
    if (root === undefined) throw new RangeError('a path has at least one step');
    // A subscription has one root field.
    const copies = operation === 'subscription' ? 1 : this.#knobs.rootCopies;
    if (rest.length === 0) {
      const wanted = operation === 'subscription' ? 1 : Math.max(copies, this.#knobs.fieldCopies);
      return `${operation} Q${number} { ${this.#copies(root, wanted)} }`;
    }
    const field = steps.at(-1) ?? root;
    // In a fragment, copies of the field count once, however often the path above is repeated.
    const fragment = `fragment F on ${field.parent.name} { ${this.#copies(field, this.#knobs.fieldCopies)} }`;
    const selected = Array.from({ length: copies }, (_, i) => this.#along(steps.slice(0, -1), field, i));
    return `${operation} Q${number} { ${selected.join(' ')} } ${fragment}`;
  }

  #along([step, ...rest]: readonly Step[], last: Step, copy: number): string {
    if (step === undefined) return '...F';
    const next = rest[0]?.parent ?? last.parent;
    const inner = this.#along(rest, last, 0);
    const isCondition = isAbstractType(getNamedType(step.field.type));
    const selection = isCondition ? `... on ${next.name} { ${inner} }` : inner;
    return `${aliased(step, copy)}${this.#arguments.of(step.field, next.name)} { ${selection} }`;
  }

  /** The field at the end of the path, under different names and with different arguments. */
  #copies(step: Step, count: number): string {
    const type = getNamedType(step.field.type);
    const selection = isLeafType(type) ? '' : ` { ${this.#selection(type, this.#knobs.levels)} }`;
    const copies = Array.from(
      { length: count },
      (_, i) => `${aliased(step, i)}${this.#arguments.of(step.field, type.name)}${selection}`,
    );
    return copies.join(' ');
  }

  /** All scalars of a type, and its objects down to some levels. */
  #selection(type: GraphQLNamedType, levels: number): string {
    const possible = objectTypesOf(this.#schema, type);
    if (isUnionType(type)) {
      return possible.map((each) => `... on ${each.name} { ${this.#fields(each, levels)} }`).join(' ');
    }
    const object = nth(possible, this.#knobs.draw);
    const fields = this.#fields(object, levels);
    return isAbstractType(type) ? `... on ${object.name} { ${fields} }` : fields;
  }

  #fields(type: GraphQLObjectType, levels: number): string {
    const parts = Object.values(type.getFields()).flatMap((field: GraphQLField<unknown, unknown>) => {
      if (field.args.some(isRequiredArgument)) return [];
      const inner = getNamedType(field.type);
      if (isLeafType(inner)) return [field.name];
      // The items of a page or a series belong to it. Edges would only repeat the nodes.
      const areItems = field.name === 'nodes' || field.name === 'points';
      if (field.name === 'edges' || (levels === 0 && !areItems)) return [];
      const args = this.#arguments.of(field, inner.name);
      return [`${field.name}${args} { ${this.#selection(inner, areItems ? levels : levels - 1)} }`];
    });
    return parts.length === 0 ? '__typename' : parts.join(' ');
  }
}

const aliased = ({ field }: Step, copy: number) => (copy === 0 ? field.name : `a${copy}: ${field.name}`);
