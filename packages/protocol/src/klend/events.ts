import { eventLayout } from '../layout/event.ts';
import { borrowOrder } from './obligation.ts';

/** Events of borrow orders. Each has the whole order before and after the change. */

export const borrowOrderPlaceEvent = eventLayout('BorrowOrderPlaceEvent', '2bd3d0ba5ee3dac6', {
  after: borrowOrder,
});

export const borrowOrderUpdateEvent = eventLayout('BorrowOrderUpdateEvent', '1521438330b85a40', {
  before: borrowOrder,
  after: borrowOrder,
});

export const borrowOrderCancelEvent = eventLayout('BorrowOrderCancelEvent', '58e4e7e6eaf84590', {
  before: borrowOrder,
});

export const borrowOrderPartialFillEvent = eventLayout('BorrowOrderPartialFillEvent', '7151fcc198186354', {
  before: borrowOrder,
  after: borrowOrder,
});

export const borrowOrderFullFillEvent = eventLayout('BorrowOrderFullFillEvent', 'b1f1edfa8f140eb7', {
  before: borrowOrder,
});
