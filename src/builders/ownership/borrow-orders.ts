import { type BorrowOrder, borrowOrder } from '@sluice/protocol/klend/obligation';
import { viewOf } from '@sluice/protocol/layout/account';
import { isExpired, type StoredBorrowOrders, storedBorrowOrders } from '../../domain/ownership-transfer.ts';

const NO_BORROW_ORDER: BorrowOrder = borrowOrder.read(viewOf(new Uint8Array(borrowOrder.size)), 0);

/** The borrow orders that the program keeps at its next chance. @param timestamp unix seconds */
export function withoutExpired(orders: StoredBorrowOrders, timestamp: bigint): StoredBorrowOrders {
  const [headBorrowOrder = NO_BORROW_ORDER, ...tailBorrowOrders] = storedBorrowOrders(orders).map((order) =>
    isExpired(order, timestamp) ? NO_BORROW_ORDER : order,
  );
  return { headBorrowOrder, tailBorrowOrders };
}
