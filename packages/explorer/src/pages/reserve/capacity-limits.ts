import type { Capacity, Limit, ReserveCapacity } from './capacity-documents.ts';

/** Names of limits, after "limited by". */
export const LIMIT_WORDS: Readonly<Record<Limit, string>> = {
  BORROW_LIMIT: 'the borrow limit',
  DEBT_CAPS: 'the caps on debt by collateral',
  DEPOSIT_LIMIT: 'the deposit limit',
  LIQUIDITY: 'the liquidity that is not lent out',
  NOT_ALLOWED: 'a stop: the market or the reserve does not accept it',
  OUTFLOW: 'the outflow cap of this interval',
  PRICE: 'the price, which the program does not accept',
  SUPPLY: 'what suppliers own',
  UTILIZATION: 'the utilization limit',
};

export const CAPACITY_ACTIONS = ['supply', 'borrow', 'withdraw'] as const;
export type CapacityAction = (typeof CAPACITY_ACTIONS)[number];

/** Amount that one limit leaves. */
export interface LimitCell {
  readonly amount: Capacity['amount'];
  readonly binds: boolean;
}

export interface LimitRow {
  readonly limit: Limit;
  /** Null: the limit does not apply to the action. */
  readonly cells: Readonly<Record<CapacityAction, LimitCell | null>>;
}

/** One row for each limit that applies to an action, in the order in which the gateway lists them. */
export function limitRows(capacity: Pick<ReserveCapacity, CapacityAction>): readonly LimitRow[] {
  const limits = new Set(
    CAPACITY_ACTIONS.flatMap((action) => capacity[action].limits.map(({ name }) => name)),
  );
  return [...limits].map((limit) => ({
    limit,
    cells: {
      supply: cellOf(capacity.supply, limit),
      borrow: cellOf(capacity.borrow, limit),
      withdraw: cellOf(capacity.withdraw, limit),
    },
  }));
}

function cellOf({ limits, bindingLimit }: Capacity, limit: Limit): LimitCell | null {
  const found = limits.find(({ name }) => name === limit);
  return found === undefined ? null : { amount: found.amount, binds: bindingLimit === limit };
}
