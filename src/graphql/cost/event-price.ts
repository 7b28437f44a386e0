import { COST_PER_UNIT } from '../../http/allowance.ts';
import type { EventCost } from '../../live/client-budget.ts';
import { READ_COSTS, READS_PER_ITEM } from './weights.ts';

const unitsOf = (cost: number) => Math.ceil(cost / COST_PER_UNIT);

/**
 * The price of the events of a subscription. The cost of its document is the cost of reading its items and, for each
 * item, that of an event.
 *
 * @param field name of the subscription's root field
 */
export function eventPrice(field: string, items: number, documentCost: number): EventCost {
  const coordinate = `Subscription.${field}`;
  const reads = (READ_COSTS[coordinate] ?? 0) * (READS_PER_ITEM.has(coordinate) ? items : 1);
  const each = (documentCost - reads) / items;
  const check = unitsOf(reads);
  return { check, of: (events) => Math.max(1, unitsOf(reads + events * each)) - check };
}
