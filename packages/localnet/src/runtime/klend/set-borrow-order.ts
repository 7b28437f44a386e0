import {
  borrowOrderCancelEvent,
  borrowOrderPlaceEvent,
  borrowOrderUpdateEvent,
} from '@sluice/protocol/klend/events';
import { setBorrowOrderV1 as v1, setBorrowOrderV2 as v2 } from '@sluice/protocol/klend/order-instructions';
import { eventAuthority } from '@sluice/protocol/layout/pda';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { anchorInstruction, type CallOf, ensure } from '../anchor.ts';
import {
  checkAddress,
  checkHasOne,
  checkProgram,
  checkSeeds,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import { emit } from '../events.ts';
import {
  type BorrowOrderConfig,
  changedOrder,
  isEmptyOrder,
  loadOrder,
  NO_BORROW_ORDER,
  validateConfig,
  writeOrder,
} from './borrow-orders.ts';
import { LENDING } from './lending-errors.ts';
import { checkNoEmergency, loadMarket } from './market.ts';
import { ObligationState } from './obligation-state.ts';
import { ReserveState } from './reserve-state.ts';

const { klend } = MAINNET_PROGRAMS;
const UNITS = 24_000;

type Call = Pick<CallOf<typeof v1>, 'invocation' | 'accounts' | 'args'>;

export const setBorrowOrderV1 = anchorInstruction(v1, UNITS, (call) => run(call, 0));
export const setBorrowOrderV2 = anchorInstruction(v2, UNITS, (call) => run(call, call.args.orderIdx));

/** Places, changes or cancels a borrow order. Neither the reserve nor the obligation needs a refresh. */
function run({ invocation, accounts, args }: Call, index: number): void {
  const { market, reserve } = checkAccounts(accounts);
  checkNoEmergency(market);
  const { minExpectedCurrentRemainingDebtAmount: minExpected, ...config } = configOf(args);
  const stored = loadOrder(accounts.obligation, index);
  ensure(stored.remainingDebtAmount >= minExpected, LENDING.expectationNotMet);
  if (isCancellation(config)) {
    if (isEmptyOrder(stored)) return;
    emit(invocation, borrowOrderCancelEvent, { before: stored });
    writeOrder(accounts.obligation, index, NO_BORROW_ORDER);
    return;
  }

  const { unixTimestamp } = invocation.clock;
  validateConfig(config, market, reserve, unixTimestamp);
  const before = stored.fillableUntilTimestamp < unixTimestamp ? NO_BORROW_ORDER : stored;
  const { debtLiquidityMint, filledDebtDestination } = accounts;
  if (isEmptyOrder(before)) {
    ensure(market.borrowOrderCreationEnabled !== 0, LENDING.orderCreationDisabled);
    const after = changedOrder(NO_BORROW_ORDER, {
      ...config,
      debtLiquidityMint: debtLiquidityMint.address,
      filledDebtDestination: filledDebtDestination.address,
      placedAtTimestamp: unixTimestamp,
      lastUpdatedAtTimestamp: unixTimestamp,
      requestedDebtAmount: config.remainingDebtAmount,
      active: 1,
    });
    emit(invocation, borrowOrderPlaceEvent, { after });
    writeOrder(accounts.obligation, index, after);
    return;
  }
  checkHasOne(before.debtLiquidityMint, debtLiquidityMint, LENDING.nonUpdatableOrderConfiguration);
  checkHasOne(before.filledDebtDestination, filledDebtDestination, LENDING.nonUpdatableOrderConfiguration);
  const isResized = config.remainingDebtAmount !== before.remainingDebtAmount;
  const after = changedOrder(before, {
    ...config,
    lastUpdatedAtTimestamp: unixTimestamp,
    ...(isResized ? { requestedDebtAmount: config.remainingDebtAmount } : {}),
  });
  emit(invocation, borrowOrderUpdateEvent, { before, after });
  writeOrder(accounts.obligation, index, after);
}

function checkAccounts(accounts: Call['accounts']) {
  const obligation = ObligationState.load(accounts.obligation);
  const market = loadMarket(accounts.lendingMarket);
  const reserve = ReserveState.load(accounts.reserve);
  const { mintPubkey, tokenProgram } = reserve.data.liquidity;
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  checkHasOne(obligation.data.owner, accounts.owner);
  checkHasOne(reserve.data.lendingMarket, accounts.lendingMarket);
  loadTokenAccount(accounts.filledDebtDestination, {
    mint: accounts.debtLiquidityMint.address,
    authority: accounts.owner.address,
    tokenProgram,
  });
  checkAddress(accounts.debtLiquidityMint, mintPubkey);
  loadMint(accounts.debtLiquidityMint, tokenProgram);
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  checkSeeds(accounts.eventAuthority, eventAuthority(klend));
  checkProgram(accounts.program, klend);
  return { market, reserve };
}

function configOf(args: Call['args']) {
  return {
    remainingDebtAmount: args.remainingDebtAmount,
    maxBorrowRateBps: args.maxBorrowRateBps,
    minDebtTermSeconds: args.minDebtTermSeconds,
    fillableUntilTimestamp: args.fillableUntilTimestamp,
    enableAutoRolloverOnFilledBorrows: args.enableAutoRolloverOnFilledBorrows ? 1 : 0,
    minExpectedCurrentRemainingDebtAmount: args.minExpectedCurrentRemainingDebtAmount,
  };
}

const isCancellation = (config: BorrowOrderConfig) =>
  Object.values(config).every((value) => value === 0 || value === 0n);
