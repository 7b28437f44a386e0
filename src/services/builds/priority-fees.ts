import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import type { ComputeOptions } from '../../builders/transaction/compute-budget.ts';
import {
  type PriorityOptions,
  pricedAccounts,
  priceOfLevel,
} from '../../builders/transaction/priority-fee.ts';
import type { Session } from '../request/session.ts';

/** Limit and price of compute units. A level takes its price from recent slots; an explicit price needs no read. */
export async function computeOptions(
  session: Session,
  { computeUnitLimit, priorityFeeMicroLamports, priorityFee }: PriorityOptions,
  instructions: readonly EncodedInstruction[],
): Promise<ComputeOptions> {
  const price =
    priorityFee === undefined
      ? priorityFeeMicroLamports
      : priceOfLevel(priorityFee, await session.recentPriorityFees(pricedAccounts(instructions)));
  return {
    ...(computeUnitLimit === undefined ? {} : { computeUnitLimit }),
    ...(price === undefined ? {} : { priorityFeeMicroLamports: price }),
  };
}

/** The options as far as they are known without a read. The size of a transaction does not depend on its price. */
export function assumedCompute({ priorityFee, ...options }: PriorityOptions): ComputeOptions {
  return priorityFee === undefined ? options : { ...options, priorityFeeMicroLamports: 0n };
}
