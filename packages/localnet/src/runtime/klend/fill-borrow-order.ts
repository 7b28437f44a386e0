import { borrowOrderFullFillEvent, borrowOrderPartialFillEvent } from '@sluice/protocol/klend/events';
import { fillBorrowOrderV1 as v1, fillBorrowOrderV2 as v2 } from '@sluice/protocol/klend/order-instructions';
import { eventAuthority } from '@sluice/protocol/layout/pda';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { ANCHOR_ERRORS, anchorInstruction, type CallOf, ensure } from '../anchor.ts';
import { checkHasOne, checkProgram, checkSeeds } from '../anchor-accounts.ts';
import { emit } from '../events.ts';
import {
  changedOrder,
  checkFill,
  loadOrder,
  NO_BORROW_ORDER,
  rolloverOf,
  writeOrder,
} from './borrow-orders.ts';
import { borrowAndPay, checkBorrowedFrom } from './borrowed-from.ts';
import { LENDING } from './lending-errors.ts';
import { checkNoEmergency } from './market.ts';
import { checkFarmAccounts, refreshFarmAfterAction } from './obligation-farms.ts';
import { isSameRollover, writeRollover } from './rollover-config.ts';

const { klend } = MAINNET_PROGRAMS;
const UNITS = 62_000;

type Call = Pick<CallOf<typeof v1>, 'invocation' | 'accounts' | 'remaining'>;

export const fillBorrowOrderV1 = anchorInstruction(v1, UNITS, (call) => run(call, 0));
export const fillBorrowOrderV2 = anchorInstruction(v2, UNITS, (call) => run(call, call.args.orderIdx));

/** Borrows for the owner of an order, as much of it as is possible. Whoever pays the transaction signs. */
function run({ invocation, accounts, remaining }: Call, index: number): void {
  const checked = checkBorrowedFrom(accounts, null);
  const farmed = { ...accounts, reserve: accounts.borrowReserve };
  checkFarmAccounts(farmed);
  checkSeeds(accounts.eventAuthority, eventAuthority(klend));
  checkProgram(accounts.program, klend);
  const { market, obligation, reserve } = checked;
  checkNoEmergency(market);
  const order = loadOrder(accounts.obligation, index);
  const mismatch = LENDING.borrowOrderDebtLiquidityMintMismatch;
  ensure(reserve.data.liquidity.mintPubkey === order.debtLiquidityMint, mismatch);
  const { userDestinationLiquidity } = accounts;
  checkHasOne(order.filledDebtDestination, userDestinationLiquidity, ANCHOR_ERRORS.constraintAddress);

  const at = obligation.borrows.findIndex((each) => each?.reserve === reserve.address);
  const earlier = at < 0 ? null : (obligation.data.borrows[at] ?? null);
  const ask = { atMost: order.remainingDebtAmount };
  const filled = borrowAndPay(invocation, accounts, checked, remaining, ask);
  checkFill(order, market, reserve, filled, invocation.clock.unixTimestamp);
  const rest = order.remainingDebtAmount - filled;
  if (rest === 0n) {
    emit(invocation, borrowOrderFullFillEvent, { before: order });
    writeOrder(accounts.obligation, index, NO_BORROW_ORDER);
  } else {
    const after = changedOrder(order, { remainingDebtAmount: rest });
    emit(invocation, borrowOrderPartialFillEvent, { before: order, after });
    writeOrder(accounts.obligation, index, after);
  }

  const rollover = rolloverOf(order);
  if (rollover !== null) {
    const isConfigurable = market.obligationBorrowRolloverConfigurationEnabled !== 0;
    ensure(isConfigurable, LENDING.borrowRolloverConfigurationDisabled);
    const own = obligation.borrows.findIndex((each) => each?.reserve === reserve.address);
    if (earlier === null) writeRollover(accounts.obligation, own, rollover);
    else {
      const isSame = isSameRollover(earlier.fixedTermBorrowRolloverConfig, rollover);
      ensure(isSame, LENDING.obligationBorrowRolloverConfigMismatch);
    }
  }
  refreshFarmAfterAction(invocation, farmed, 'debt');
}
