import { NodeBudget } from '../../../src/graphql/cost/node-budget.ts';

/** Where the fields of a query pause depends on the time, and the order of its errors on where they pause. */
export const budgetWithoutPauses = (ceiling = 1_000_000): NodeBudget =>
  new NodeBudget(ceiling, '', { isOver: false, next: () => Promise.resolve() });
