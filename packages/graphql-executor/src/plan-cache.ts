import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import type { Fragments, Variables } from './collect-fields.ts';
import { OperationPlan } from './operation-plan.ts';
import type { ValueShapes } from './value-shapes.ts';

/** Variables of `@skip` and `@include` need a plan per combination of values; beyond this the oldest plan is dropped. */
const MAX_PLANS_PER_OPERATION = 8;

interface CachedPlans {
  readonly fragments: Fragments;
  /** Names of the variables used in directives. */
  readonly directiveVariables: readonly string[];
  /** By the values of these variables. */
  readonly plans: Map<string, OperationPlan>;
}

/**
 * Plans for the operations of one schema. A plan is cached from the second execution of its document on, for as long as
 * the document is reachable: a document that is executed once leaves nothing in memory.
 */
export class PlanCache {
  readonly #schema: GraphQLSchema;
  readonly #shapes: ValueShapes;
  readonly #seen = new WeakSet<OperationDefinitionNode>();
  readonly #operations = new WeakMap<OperationDefinitionNode, CachedPlans>();

  constructor(schema: GraphQLSchema, shapes: ValueShapes) {
    this.#schema = schema;
    this.#shapes = shapes;
  }

  find(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): OperationPlan {
    const { fragments, directiveVariables, plans } = this.#plansOf(document, operation);
    const key = directiveVariables.map((name) => String(variables[name])).join();
    const known = plans.get(key);
    if (known !== undefined) return known;
    const plan = new OperationPlan({
      schema: this.#schema,
      shapes: this.#shapes,
      fragments,
      operation,
      variables: pick(variables, directiveVariables),
    });
    for (const [oldest] of plans) {
      if (plans.size < MAX_PLANS_PER_OPERATION) break;
      plans.delete(oldest);
    }
    plans.set(key, plan);
    return plan;
  }

  #plansOf(document: DocumentNode, operation: OperationDefinitionNode): CachedPlans {
    const known = this.#operations.get(operation);
    if (known !== undefined) return known;
    const fresh = {
      fragments: fragmentsOf(document),
      directiveVariables: directiveVariablesOf(document),
      plans: new Map<string, OperationPlan>(),
    };
    if (this.#seen.has(operation)) this.#operations.set(operation, fresh);
    else this.#seen.add(operation);
    return fresh;
  }
}

function fragmentsOf(document: DocumentNode): Fragments {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fragments;
}

/** A plan outlives its request, so it must not retain the request's other variables. */
function pick(variables: Variables, names: readonly string[]): Variables {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(variables, name)).map((name) => [name, variables[name]]),
  );
}

function directiveVariablesOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive(directive) {
      for (const { value } of directive.arguments ?? []) {
        if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      }
      return false;
    },
  });
  return [...names];
}
