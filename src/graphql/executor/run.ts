import {
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLObjectType,
  getArgumentValues,
  isObjectType,
  locatedError,
  type ResponsePath,
  responsePathAsArray,
} from 'graphql';
import type { NodeBudget } from '../cost/node-budget.ts';
import type { Variables } from './collect-fields.ts';
import { CollectedErrors } from './collected-errors.ts';
import { FieldInfo, type RunFacts } from './field-info.ts';
import { NodeText, NodeTexts, type TextsContext } from './node-texts.ts';
import type { Arguments, FieldPlan, OperationPlan, SelectionPlan, ValueShape } from './plan.ts';
import { isIterable, isPromise, joined, nothing, plainText } from './values.ts';

/** A text that is not joined yet. */
export type Pieces = readonly string[];

/** A part of the answer as JSON: at once where nothing has to be waited for. */
type Text = string | Promise<string>;

/** What is not on the sheet yet; null when all of it is. */
type Later = Promise<string> | null;

/** What a run needs of a request. */
export interface RunContext extends TextsContext {
  readonly budget: NodeBudget;
}

/**
 * One execution of a plan. It does what the executor of graphql-js does, in the same order, with the same errors; but the
 * answer is written as JSON at once, a promise is made only where a resolver gives one, and an object with a global
 * identifier that an answer has in many places is written once.
 *
 * Pieces of text are put on one sheet and joined when they are all there: strings that grow piece by piece would be a
 * tree of small objects, which costs more to make, to flatten and to clear away than the text itself. Whoever writes
 * either leaves its whole text at the end of the sheet, or nothing, and then gives a promise or throws.
 */
export class Run implements RunFacts {
  readonly plan: OperationPlan;
  readonly variables: Variables;
  readonly rootValue: unknown;
  readonly errors = new CollectedErrors();
  readonly #context: RunContext;
  readonly #args = new Map<FieldPlan, Arguments>();
  readonly #texts: NodeTexts;
  readonly #sheet: Text[] = [];

  constructor(plan: OperationPlan, variables: Variables, rootValue: unknown, context: RunContext) {
    this.plan = plan;
    this.variables = variables;
    this.rootValue = rootValue;
    this.#context = context;
    this.#texts = new NodeTexts(plan, context);
  }

  /** The answer to a query, in pieces. What throws is an error for which there is no answer at all. */
  fields(selection: SelectionPlan, source: unknown): Pieces | Promise<string> {
    return this.#fields(selection, source, undefined) ?? (this.#sheet.splice(0) as string[]);
  }

  /** The fields of a mutation: one after the other. */
  async fieldsInTurn({ fields }: SelectionPlan, source: unknown): Promise<Pieces> {
    const pieces: string[] = [];
    for (const field of fields) {
      pieces.push(field.label, await (this.#field(field, source, undefined) ?? this.#takenFrom(0)));
    }
    pieces.push(fields.length === 0 ? '{}' : '}');
    return pieces;
  }

  /** The fields of an object. What throws is an error for which the object itself cannot be. */
  #fields({ fields }: SelectionPlan, source: unknown, path: ResponsePath | undefined): Later {
    const sheet = this.#sheet;
    const start = sheet.length;
    let waits = false;
    try {
      for (const field of fields) {
        const text = field.property === null ? undefined : plainText(field, field.property, source);
        if (text !== undefined) {
          sheet.push(field.label, text);
          continue;
        }
        sheet.push(field.label);
        const later = this.#field(field, source, path);
        if (later === null) continue;
        sheet.push(later);
        waits = true;
      }
    } catch (error) {
      const begun = sheet.splice(start);
      if (!waits) throw error;
      // The others are waited for, since they may fail too.
      return Promise.all(begun).then(
        () => Promise.reject(error),
        () => Promise.reject(error),
      );
    }
    sheet.push(fields.length === 0 ? '{}' : '}');
    return waits ? Promise.all(sheet.splice(start)).then(joined) : null;
  }

  #field(field: FieldPlan, source: unknown, parent: ResponsePath | undefined): Later {
    if (field.constant !== null) {
      this.#sheet.push(field.constant);
      return null;
    }
    const { shape } = field;
    const info = new FieldInfo(this, field, parent);
    try {
      const args = field.args ?? this.#arguments(field);
      const value = field.resolve(source, args, this.#context, info);
      const text = shape.kind === 'leaf' ? shape.write.usual(value) : undefined;
      if (text !== undefined) {
        this.#sheet.push(text);
        return null;
      }
      const later = isPromise(value)
        ? value.then((given) => this.#given(field, shape, info, info.path, given))
        : this.#value(field, shape, info, info.path, value);
      return later === null
        ? null
        : later.then(undefined, (error) => this.#failed(error, field, shape, info.path));
    } catch (error) {
      this.#sheet.push(this.#failed(error, field, shape, info.path));
      return null;
    }
  }

  /** What was written from a place of the sheet on, and off it again. */
  #takenFrom(start: number): string {
    return joined(this.#sheet.splice(start));
  }

  /** The same for every object of the answer. */
  #arguments(field: FieldPlan): Arguments {
    const known = this.#args.get(field);
    if (known !== undefined) return known;
    const fresh = getArgumentValues(field.field, field.nodes[0], this.variables);
    this.#args.set(field, fresh);
    return fresh;
  }

  /** Null for what may be null; otherwise the error goes up to what holds it. */
  #failed(thrown: unknown, { nodes }: FieldPlan, { nonNull }: ValueShape, path: ResponsePath): 'null' {
    // Nobody waits for the answer any more.
    if (this.#context.budget.signal.aborted) throw thrown;
    const error = locatedError(thrown, nodes, responsePathAsArray(path));
    if (nonNull) throw error;
    this.errors.add(error, path);
    return 'null';
  }

  /** What a promise gave. Whatever stands on the sheet at this moment is another's. */
  #given(field: FieldPlan, shape: ValueShape, info: FieldInfo, path: ResponsePath, value: unknown): Text {
    const start = this.#sheet.length;
    return this.#value(field, shape, info, path, value) ?? this.#takenFrom(start);
  }

  #value(field: FieldPlan, shape: ValueShape, info: FieldInfo, path: ResponsePath, value: unknown): Later {
    if (value instanceof Error) throw value;
    if (value === null || value === undefined) {
      this.#sheet.push(nothing(field, shape));
      return null;
    }
    switch (shape.kind) {
      case 'leaf':
        this.#sheet.push(shape.write.any(value));
        return null;
      case 'object':
        return this.#object(field, shape.type, info, path, value);
      case 'list':
        return this.#list(field, shape.item, info, path, value);
      case 'abstract':
        return this.#abstract(field, shape.type, info, path, value);
    }
  }

  #list(field: FieldPlan, item: ValueShape, info: FieldInfo, path: ResponsePath, value: unknown): Later {
    if (!isIterable(value)) {
      throw new GraphQLError(
        `Expected Iterable, but did not find one for field "${field.parentType.name}.${field.field.name}".`,
      );
    }
    const sheet = this.#sheet;
    const start = sheet.length;
    let waits = false;
    let index = 0;
    try {
      for (const each of value) {
        sheet.push(index === 0 ? '[' : ',');
        const later = this.#item(field, item, info, { prev: path, key: index, typename: undefined }, each);
        index += 1;
        if (later === null) continue;
        sheet.push(later);
        waits = true;
      }
    } catch (error) {
      // Nobody asks any more whether the others fail.
      void Promise.allSettled(sheet.splice(start));
      throw error;
    }
    sheet.push(index === 0 ? '[]' : ']');
    return waits ? Promise.all(sheet.splice(start)).then(joined) : null;
  }

  #item(field: FieldPlan, shape: ValueShape, info: FieldInfo, path: ResponsePath, value: unknown): Later {
    try {
      const later = isPromise(value)
        ? value.then((given) => this.#given(field, shape, info, path, given))
        : this.#value(field, shape, info, path, value);
      return later === null
        ? null
        : later.then(undefined, (error) => this.#failed(error, field, shape, path));
    } catch (error) {
      this.#sheet.push(this.#failed(error, field, shape, path));
      return null;
    }
  }

  #abstract(
    field: FieldPlan,
    type: GraphQLAbstractType,
    info: FieldInfo,
    path: ResponsePath,
    value: unknown,
  ): Later {
    const name = type.resolveType?.(value, this.#context, info, type);
    if (!isPromise(name)) {
      return this.#object(field, this.#runtimeType(field, type, name), info, path, value);
    }
    return name.then((given) => {
      const start = this.#sheet.length;
      const later = this.#object(field, this.#runtimeType(field, type, given), info, path, value);
      return later ?? this.#takenFrom(start);
    });
  }

  #runtimeType(field: FieldPlan, abstract: GraphQLAbstractType, name: unknown): GraphQLObjectType {
    const type = typeof name === 'string' ? this.plan.schema.getType(name) : undefined;
    if (isObjectType(type) && this.plan.schema.isSubType(abstract, type)) return type;
    throw new GraphQLError(
      `Abstract type "${abstract.name}" must resolve to an Object type at runtime for field "${field.parentType.name}.${field.field.name}". Either the "${abstract.name}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`,
      { nodes: field.nodes },
    );
  }

  #object(
    field: FieldPlan,
    type: GraphQLObjectType,
    info: FieldInfo,
    path: ResponsePath,
    value: unknown,
  ): Later {
    const selection = this.plan.below(field, type);
    const fits = type.isTypeOf?.(value, this.#context, info) ?? true;
    if (!isPromise(fits)) return this.#fitting(fits, field, type, selection, path, value);
    return fits.then((given) => {
      const start = this.#sheet.length;
      return this.#fitting(given, field, type, selection, path, value) ?? this.#takenFrom(start);
    });
  }

  #fitting(
    fits: boolean,
    { nodes }: FieldPlan,
    { name }: GraphQLObjectType,
    selection: SelectionPlan,
    path: ResponsePath,
    value: unknown,
  ): Later {
    if (!fits) throw new GraphQLError(`Expected a value of type "${name}".`, { nodes });
    return selection.isNode && typeof value === 'object' && value !== null
      ? this.#node(selection, path, value)
      : this.#fields(selection, value, path);
  }

  /** Resolvers give the same for the same object within a request: what was written without an error is right again. */
  #node(selection: SelectionPlan, path: ResponsePath, value: object): Later {
    const { budget } = this.#context;
    const known = this.#texts.find(selection, value);
    if (known !== undefined && budget.takeAtOnce(known.nodes)) {
      this.#sheet.push(known.text);
      return null;
    }
    const [start, errors, nodes] = [this.#sheet.length, this.errors.count, budget.resolved];
    const later = this.#fields(selection, value, path);
    if (later !== null || this.errors.count !== errors) return later;
    const pieces = this.#sheet.slice(start) as string[];
    this.#texts.keep(selection, value, new NodeText(pieces, budget.resolved - nodes));
    return null;
  }
}
