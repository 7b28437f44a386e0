import { REQUEST_COST } from '../../http/allowance.ts';
import type { Operation } from './operation.ts';

/** An operation that reads outside the View: accounts of a wallet, or history. */
const READING_COST = 5;
/** A builder reads everything that its transaction touches. */
const BUILDING_COST = 10;

/** Cost of an operation on top of `REQUEST_COST`, which has been taken already. */
export function operationCost({ method, holds }: Pick<Operation, 'method' | 'holds'>): number {
  const cost =
    method === 'post'
      ? BUILDING_COST
      : holds === 'never' || holds === 'positions'
        ? READING_COST
        : REQUEST_COST;
  return cost - REQUEST_COST;
}
