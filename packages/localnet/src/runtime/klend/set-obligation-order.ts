import type { ObligationOrder } from '@sluice/protocol/klend/obligation';
import { obligation as layout, obligationOrder } from '@sluice/protocol/klend/obligation';
import { setObligationOrder as instruction } from '@sluice/protocol/klend/order-instructions';
import { viewOf } from '@sluice/protocol/layout/account';
import { anchorInstruction, ensure } from '../anchor.ts';
import { checkHasOne } from '../anchor-accounts.ts';
import { LENDING } from './lending-errors.ts';
import { checkNoEmergency, loadMarket } from './market.ts';
import { isSupportedOrder, validateOrder } from './obligation-orders.ts';
import { ObligationState } from './obligation-state.ts';

/** Sets an order of the obligation, or cancels it with zeros. Neither reserves nor obligation need a refresh. */
export const setObligationOrder = anchorInstruction(instruction, 9_000, ({ invocation, accounts, args }) => {
  const obligation = ObligationState.load(accounts.obligation);
  const market = loadMarket(accounts.lendingMarket);
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  checkHasOne(obligation.data.owner, accounts.owner);
  checkNoEmergency(market);

  const start = instruction.discriminator.length + 1;
  const bytes = invocation.data.subarray(start, start + obligationOrder.size);
  const order = obligationOrder.read(viewOf(bytes), 0);
  validateOrder(order, bytes);
  ensure(isSupportedOrder(order, obligation), LENDING.orderConfigurationNotSupportedByObligation);
  const orders = obligation.data.obligationOrders;
  const previous = orders[args.index];
  ensure(previous !== undefined, LENDING.orderIndexOutOfBounds);
  const isNew = !isActive(previous) && isActive(order);
  ensure(!isNew || market.obligationOrderCreationEnabled !== 0, LENDING.orderCreationDisabled);

  const data = new Uint8Array(accounts.obligation.data);
  data.set(bytes, layout.offsetOf('obligationOrders') + args.index * obligationOrder.size);
  accounts.obligation.write(data);
});

const isActive = ({ conditionType }: ObligationOrder) => conditionType !== 0;
