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
import type { Variables } from './collect-fields.ts';
import { CollectedErrors } from './collected-errors.ts';
import type { ExecutionHooks } from './hooks.ts';
import { ObjectMemo } from './object-memo.ts';
import type { Arguments, FieldPlan, OperationPlan, SelectionPlan } from './operation-plan.ts';
import { type ExecutionInfo, ResolveInfo } from './resolve-info.ts';
import { SerializedObject } from './serialized-object.ts';
import type { ValueShape } from './value-shapes.ts';
import { isIterable, isPromise, joinChunks, nullJson, propertyJson } from './values.ts';

/** JSON that is not joined yet. */
export type Chunks = readonly string[];

type Json = string | Promise<string>;

/** JSON that is not in the output yet; null when all of it is. */
type Pending = Promise<string> | null;

export interface ExecutionOptions extends ExecutionInfo {
  readonly contextValue: unknown;
  readonly hooks: ExecutionHooks;
}

/**
 * One execution of a plan. It resolves in the order of graphql-js and reports the same errors, with three differences:
 * it writes JSON instead of building objects, it creates a promise only where a resolver returns one, and it serializes
 * a node that occurs many times in a response once.
 *
 * All methods append to one output array, which is joined at the end: concatenating strings would build a tree of small
 * objects that costs more than the text. A method either leaves its complete JSON at the end of the output, or removes
 * what it has appended and returns a promise or throws.
 */
export class Execution implements ExecutionInfo {
  readonly plan: OperationPlan;
  readonly variables: Variables;
  readonly rootValue: unknown;
  readonly errors = new CollectedErrors();
  readonly #context: unknown;
  readonly #hooks: ExecutionHooks;
  readonly #args = new Map<FieldPlan, Arguments>();
  readonly #memo: ObjectMemo;
  readonly #output: Json[] = [];

  constructor({ plan, variables, rootValue, contextValue, hooks }: ExecutionOptions) {
    this.plan = plan;
    this.variables = variables;
    this.rootValue = rootValue;
    this.#context = contextValue;
    this.#hooks = hooks;
    this.#memo = new ObjectMemo(plan, hooks.shared);
  }

  /** Executes the root selection of a query. Throws or rejects when `data` becomes null. */
  run(selection: SelectionPlan): Chunks | Promise<string> {
    return this.#fields(selection, this.rootValue, undefined) ?? (this.#output.splice(0) as string[]);
  }

  /** Executes the root selection of a mutation, one field after the other. */
  async runSerially({ fields }: SelectionPlan): Promise<Chunks> {
    const chunks: string[] = [];
    for (const field of fields) {
      chunks.push(field.label, await (this.#field(field, this.rootValue, undefined) ?? this.#cut(0)));
    }
    chunks.push(fields.length === 0 ? '{}' : '}');
    return chunks;
  }

  /** Throws or rejects when the object itself becomes null. */
  #fields({ fields }: SelectionPlan, source: unknown, path: ResponsePath | undefined): Pending {
    const output = this.#output;
    const start = output.length;
    let isPending = false;
    try {
      for (const field of fields) {
        const json = field.property === null ? undefined : propertyJson(field, field.property, source);
        if (json !== undefined) {
          output.push(field.label, json);
          continue;
        }
        output.push(field.label);
        const pending = this.#field(field, source, path);
        if (pending === null) continue;
        output.push(pending);
        isPending = true;
      }
    } catch (error) {
      const started = output.splice(start);
      if (!isPending) throw error;
      // The fields before it may fail too: wait for them, as graphql-js does.
      return Promise.all(started).then(
        () => Promise.reject(error),
        () => Promise.reject(error),
      );
    }
    output.push(fields.length === 0 ? '{}' : '}');
    return isPending ? Promise.all(output.splice(start)).then(joinChunks) : null;
  }

  #field(field: FieldPlan, source: unknown, parent: ResponsePath | undefined): Pending {
    if (field.constant !== null) {
      this.#output.push(field.constant);
      return null;
    }
    const { shape } = field;
    const info = new ResolveInfo(this, field, parent);
    try {
      const args = field.args ?? this.#arguments(field);
      const value = field.resolve(source, args, this.#context, info);
      const json = shape.kind === 'leaf' ? shape.write.fast(value) : undefined;
      if (json !== undefined) {
        this.#output.push(json);
        return null;
      }
      const pending = isPromise(value)
        ? value.then((settled) => this.#settledValue(field, shape, info, info.path, settled))
        : this.#value(field, shape, info, info.path, value);
      return pending === null
        ? null
        : pending.then(undefined, (error) => this.#failed(error, field, shape, info.path));
    } catch (error) {
      this.#output.push(this.#failed(error, field, shape, info.path));
      return null;
    }
  }

  /** Removes the output from an index on and returns it. */
  #cut(start: number): string {
    return joinChunks(this.#output.splice(start));
  }

  /** Coerced once: a field has the same arguments on every object. */
  #arguments(field: FieldPlan): Arguments {
    const known = this.#args.get(field);
    if (known !== undefined) return known;
    const fresh = getArgumentValues(field.field, field.nodes[0], this.variables);
    this.#args.set(field, fresh);
    return fresh;
  }

  /** Reports an error of a nullable field; that of a non-null field is thrown to its parent. */
  #failed(thrown: unknown, { nodes }: FieldPlan, { nonNull }: ValueShape, path: ResponsePath): 'null' {
    // The result of an aborted execution is discarded.
    if (this.#hooks.signal?.aborted) throw thrown;
    const error = locatedError(thrown, nodes, responsePathAsArray(path));
    if (nonNull) throw error;
    this.errors.add(error, path);
    return 'null';
  }

  /** Completes a value that came from a promise; the output at that moment belongs to other fields. */
  #settledValue(
    field: FieldPlan,
    shape: ValueShape,
    info: ResolveInfo,
    path: ResponsePath,
    value: unknown,
  ): Json {
    const start = this.#output.length;
    return this.#value(field, shape, info, path, value) ?? this.#cut(start);
  }

  #value(
    field: FieldPlan,
    shape: ValueShape,
    info: ResolveInfo,
    path: ResponsePath,
    value: unknown,
  ): Pending {
    if (value instanceof Error) throw value;
    if (value === null || value === undefined) {
      this.#output.push(nullJson(field, shape));
      return null;
    }
    switch (shape.kind) {
      case 'leaf':
        this.#output.push(shape.write.any(value));
        return null;
      case 'object':
        return this.#object(field, shape.type, info, path, value);
      case 'list':
        return this.#list(field, shape.item, info, path, value);
      case 'abstract':
        return this.#abstract(field, shape.type, info, path, value);
    }
  }

  #list(field: FieldPlan, item: ValueShape, info: ResolveInfo, path: ResponsePath, value: unknown): Pending {
    if (!isIterable(value)) {
      throw new GraphQLError(
        `Expected Iterable, but did not find one for field "${field.parentType.name}.${field.field.name}".`,
      );
    }
    const output = this.#output;
    const start = output.length;
    let isPending = false;
    let index = 0;
    try {
      for (const each of value) {
        output.push(index === 0 ? '[' : ',');
        const pending = this.#item(field, item, info, { prev: path, key: index, typename: undefined }, each);
        index += 1;
        if (pending === null) continue;
        output.push(pending);
        isPending = true;
      }
    } catch (error) {
      // The list is null already: errors of its other items are dropped.
      void Promise.allSettled(output.splice(start));
      throw error;
    }
    output.push(index === 0 ? '[]' : ']');
    return isPending ? Promise.all(output.splice(start)).then(joinChunks) : null;
  }

  #item(field: FieldPlan, shape: ValueShape, info: ResolveInfo, path: ResponsePath, value: unknown): Pending {
    try {
      const pending = isPromise(value)
        ? value.then((settled) => this.#settledValue(field, shape, info, path, settled))
        : this.#value(field, shape, info, path, value);
      return pending === null
        ? null
        : pending.then(undefined, (error) => this.#failed(error, field, shape, path));
    } catch (error) {
      this.#output.push(this.#failed(error, field, shape, path));
      return null;
    }
  }

  #abstract(
    field: FieldPlan,
    type: GraphQLAbstractType,
    info: ResolveInfo,
    path: ResponsePath,
    value: unknown,
  ): Pending {
    const name = type.resolveType?.(value, this.#context, info, type);
    if (!isPromise(name)) {
      return this.#object(field, this.#runtimeType(field, type, name), info, path, value);
    }
    return name.then((settled) => {
      const start = this.#output.length;
      const pending = this.#object(field, this.#runtimeType(field, type, settled), info, path, value);
      return pending ?? this.#cut(start);
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
    info: ResolveInfo,
    path: ResponsePath,
    value: unknown,
  ): Pending {
    const selection = this.plan.selection(field, type);
    const isOfType = type.isTypeOf?.(value, this.#context, info) ?? true;
    if (!isPromise(isOfType)) return this.#checkedObject(isOfType, field, type, selection, path, value);
    return isOfType.then((settled) => {
      const start = this.#output.length;
      return this.#checkedObject(settled, field, type, selection, path, value) ?? this.#cut(start);
    });
  }

  #checkedObject(
    isOfType: boolean,
    { nodes }: FieldPlan,
    { name }: GraphQLObjectType,
    selection: SelectionPlan,
    path: ResponsePath,
    value: unknown,
  ): Pending {
    if (!isOfType) throw new GraphQLError(`Expected a value of type "${name}".`, { nodes });
    return selection.isNode && typeof value === 'object' && value !== null
      ? this.#node(selection, path, value)
      : this.#fields(selection, value, path);
  }

  /** Resolvers return the same for the same object within a request, so JSON without errors or notices can be reused. */
  #node(selection: SelectionPlan, path: ResponsePath, value: object): Pending {
    const { counter, notices } = this.#hooks;
    const known = this.#memo.find(selection, value);
    if (known !== undefined && (counter === undefined || counter.takeReused(known.nodes))) {
      this.#output.push(known.json);
      return null;
    }
    const [start, errors, nodes] = [this.#output.length, this.errors.count, counter?.resolved ?? 0];
    const noticed = notices?.count;
    const pending = this.#fields(selection, value, path);
    if (pending !== null || this.errors.count !== errors || notices?.count !== noticed) return pending;
    const chunks = this.#output.slice(start) as string[];
    this.#memo.add(selection, value, new SerializedObject(chunks, (counter?.resolved ?? 0) - nodes));
    return null;
  }
}
