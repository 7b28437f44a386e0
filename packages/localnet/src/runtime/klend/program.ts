import { LENDING_ERRORS } from '@sluice/protocol/error-names';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { anchorProgram } from '../anchor.ts';
import { withEvents } from '../events.ts';
import { borrowObligationLiquidity, borrowObligationLiquidityV2 } from './borrow-obligation-liquidity.ts';
import { cancelWithdrawTicket } from './cancel-withdraw-ticket.ts';
import { depositAndWithdraw } from './deposit-and-withdraw.ts';
import {
  depositObligationCollateral,
  depositObligationCollateralV2,
} from './deposit-obligation-collateral.ts';
import { depositReserveLiquidity } from './deposit-reserve-liquidity.ts';
import {
  depositReserveLiquidityAndObligationCollateral,
  depositReserveLiquidityAndObligationCollateralV2,
} from './deposit-reserve-liquidity-and-obligation-collateral.ts';
import { enqueueToWithdraw } from './enqueue-to-withdraw.ts';
import { fillBorrowOrderV1, fillBorrowOrderV2 } from './fill-borrow-order.ts';
import { flashBorrowReserveLiquidity } from './flash-borrow-reserve-liquidity.ts';
import { flashRepayReserveLiquidity } from './flash-repay-reserve-liquidity.ts';
import { initObligation } from './init-obligation.ts';
import { initObligationFarmsForReserve } from './init-obligation-farms-for-reserve.ts';
import { initReferrerTokenState } from './init-referrer-token-state.ts';
import { initUserMetadata } from './init-user-metadata.ts';
import {
  liquidateObligationAndRedeemReserveCollateral,
  liquidateObligationAndRedeemReserveCollateralV2,
} from './liquidate-obligation-and-redeem-reserve-collateral.ts';
import {
  abortObligationOwnershipTransfer,
  acceptObligationOwnership,
  approveObligationOwnershipTransfer,
  initiateObligationOwnershipTransfer,
} from './obligation-ownership.ts';
import { recoverInvalidTicketCollateral } from './recover-invalid-ticket-collateral.ts';
import { redeemReserveCollateral } from './redeem-reserve-collateral.ts';
import { refreshObligation } from './refresh-obligation.ts';
import { refreshObligationFarmsForReserve } from './refresh-obligation-farms-for-reserve.ts';
import { refreshReserve } from './refresh-reserve.ts';
import { refreshReservesBatch } from './refresh-reserves-batch.ts';
import { repayAndWithdrawAndRedeem } from './repay-and-withdraw.ts';
import { repayObligationLiquidity, repayObligationLiquidityV2 } from './repay-obligation-liquidity.ts';
import { requestElevationGroup } from './request-elevation-group.ts';
import { rolloverFixedTermBorrow } from './rollover-fixed-term-borrow.ts';
import { setBorrowOrderV1, setBorrowOrderV2 } from './set-borrow-order.ts';
import { setObligationOrder } from './set-obligation-order.ts';
import { updateObligationConfig } from './update-obligation-config.ts';
import {
  withdrawObligationCollateral,
  withdrawObligationCollateralV2,
} from './withdraw-obligation-collateral.ts';
import {
  withdrawObligationCollateralAndRedeemReserveCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateralV2,
} from './withdraw-obligation-collateral-and-redeem-reserve-collateral.ts';
import { withdrawQueuedLiquidity } from './withdraw-queued-liquidity.ts';
import { withdrawReferrerFees } from './withdraw-referrer-fees.ts';

/** The lending program, in the version of its published source. */
export const lendingProgram = withEvents(
  anchorProgram(MAINNET_PROGRAMS.klend, LENDING_ERRORS, [
    abortObligationOwnershipTransfer,
    acceptObligationOwnership,
    approveObligationOwnershipTransfer,
    borrowObligationLiquidity,
    borrowObligationLiquidityV2,
    cancelWithdrawTicket,
    depositAndWithdraw,
    depositObligationCollateral,
    depositObligationCollateralV2,
    depositReserveLiquidity,
    depositReserveLiquidityAndObligationCollateral,
    depositReserveLiquidityAndObligationCollateralV2,
    enqueueToWithdraw,
    fillBorrowOrderV1,
    fillBorrowOrderV2,
    flashBorrowReserveLiquidity,
    flashRepayReserveLiquidity,
    initObligation,
    initObligationFarmsForReserve,
    initReferrerTokenState,
    initUserMetadata,
    initiateObligationOwnershipTransfer,
    liquidateObligationAndRedeemReserveCollateral,
    liquidateObligationAndRedeemReserveCollateralV2,
    recoverInvalidTicketCollateral,
    redeemReserveCollateral,
    refreshObligation,
    refreshObligationFarmsForReserve,
    refreshReserve,
    refreshReservesBatch,
    repayAndWithdrawAndRedeem,
    repayObligationLiquidity,
    repayObligationLiquidityV2,
    requestElevationGroup,
    rolloverFixedTermBorrow,
    setBorrowOrderV1,
    setBorrowOrderV2,
    setObligationOrder,
    updateObligationConfig,
    withdrawObligationCollateral,
    withdrawObligationCollateralAndRedeemReserveCollateral,
    withdrawObligationCollateralAndRedeemReserveCollateralV2,
    withdrawObligationCollateralV2,
    withdrawQueuedLiquidity,
    withdrawReferrerFees,
  ]),
);
