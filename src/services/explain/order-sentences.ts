import { obligationOrder } from '@sluice/protocol/klend/obligation';
import { setObligationOrder } from '@sluice/protocol/klend/order-instructions';
import { viewOf } from '@sluice/protocol/layout/account';
import { shortened } from '../../builders/shortened.ts';
import { bpsInWords, durationInWords } from '../../domain/borrow-order-words.ts';
import { isActiveOrder, orderTerms } from '../../domain/obligation-orders.ts';
import { conditionInWords, opportunityInWords } from '../../domain/order-words.ts';
import type { Writer } from './writer.ts';

/** The first version of an instruction has no index and acts on order 0. */
export const orderIndex = (w: Writer): string => String(w.arg('orderIdx') ?? 0);

export function borrowOrderSet(w: Writer): string {
  const order = `borrow order ${orderIndex(w)} of the obligation`;
  if (w.units('remainingDebtAmount') === 0n) return `Cancel ${order}`;
  const rate = bpsInWords(Number(w.arg('maxBorrowRateBps')));
  const term = w.units('minDebtTermSeconds');
  const terms = `at ${rate} a year or less${term === 0n ? '' : `, for at least ${durationInWords(term)}`}`;
  return `Set ${order}: borrow up to ${w.tokens('remainingDebtAmount', 'debtLiquidityMint')} ${terms}`;
}

export function obligationOrderSet(w: Writer): string {
  const order = `order ${String(w.arg('index'))} of the obligation`;
  const start =
    setObligationOrder.discriminator.length + setObligationOrder.args.offsets.conditionThresholdSf;
  const stored = obligationOrder.read(viewOf(w.data), start);
  if (!isActiveOrder(stored)) return `Cancel ${order}`;
  const terms = orderTerms(stored);
  const { amount, debtMint } = terms;
  const units = `${amount?.floor() ?? 0n} base units of ${debtMint === null ? 'the debt' : shortened(debtMint)}`;
  return `Set ${order}: ${opportunityInWords(terms, units)} ${conditionInWords(terms)}`;
}
