import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import type { Fragments, Variables } from './collect-fields.ts';
import { OperationPlan } from './plan.ts';

/** What is skipped depends on few variables; a caller who tries all their values is planned for anew. */
const MAX_PLANS_PER_OPERATION = 8;

interface Plans {
  readonly fragments: Fragments;
  /** Names of the variables that decide what is skipped. */
  readonly deciding: readonly string[];
  readonly byDecision: Map<string, OperationPlan>;
}

/**
 * The plans of a schema, each kept as long as its document is, from its second execution on: of a document that is
 * executed once nothing is to outlive the request.
 */
export class OperationPlans {
  readonly #schema: GraphQLSchema;
  readonly #met = new WeakSet<OperationDefinitionNode>();
  readonly #plans = new WeakMap<OperationDefinitionNode, Plans>();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  find(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): OperationPlan {
    let plans = this.#plans.get(operation);
    if (plans === undefined) {
      plans = { fragments: fragmentsOf(document), deciding: decidingIn(document), byDecision: new Map() };
      if (this.#met.has(operation)) this.#plans.set(operation, plans);
      else this.#met.add(operation);
    }
    const { fragments, deciding, byDecision } = plans;
    const decision = deciding.map((name) => String(variables[name])).join();
    const known = byDecision.get(decision);
    if (known !== undefined) return known;
    const fresh = new OperationPlan(this.#schema, fragments, operation, decisive(variables, deciding));
    for (const [oldest] of byDecision) {
      if (byDecision.size < MAX_PLANS_PER_OPERATION) break;
      byDecision.delete(oldest);
    }
    byDecision.set(decision, fresh);
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

/** A plan outlives its request, and must not hold on to what that request brought along. */
function decisive(variables: Variables, names: readonly string[]): Variables {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(variables, name)).map((name) => [name, variables[name]]),
  );
}

function decidingIn(document: DocumentNode): string[] {
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
