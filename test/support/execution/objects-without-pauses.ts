import { ResolvedObjects } from '../../../src/graphql/cost/resolved-objects.ts';
import { WorkBudget } from '../../../src/node/work-budget.ts';

/** Where the fields of a query pause depends on the time, and the order of its errors on where they pause. */
export const objectsWithoutPauses = (ceiling = 1_000_000): ResolvedObjects =>
  new ResolvedObjects(
    new WorkBudget({ ceiling, scheduler: { isOver: false, next: () => Promise.resolve() } }),
  );
