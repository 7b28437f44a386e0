import { LENDING_ERRORS } from '@sluice/protocol/error-names';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { anchorProgram } from '../anchor.ts';
import { borrowObligationLiquidity, borrowObligationLiquidityV2 } from './borrow-obligation-liquidity.ts';
import {
  depositObligationCollateral,
  depositObligationCollateralV2,
} from './deposit-obligation-collateral.ts';
import { depositReserveLiquidity } from './deposit-reserve-liquidity.ts';
import {
  depositReserveLiquidityAndObligationCollateral,
  depositReserveLiquidityAndObligationCollateralV2,
} from './deposit-reserve-liquidity-and-obligation-collateral.ts';
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
import { redeemReserveCollateral } from './redeem-reserve-collateral.ts';
import { refreshObligation } from './refresh-obligation.ts';
import { refreshObligationFarmsForReserve } from './refresh-obligation-farms-for-reserve.ts';
import { refreshReserve } from './refresh-reserve.ts';
import { refreshReservesBatch } from './refresh-reserves-batch.ts';
import { repayObligationLiquidity, repayObligationLiquidityV2 } from './repay-obligation-liquidity.ts';
import { requestElevationGroup } from './request-elevation-group.ts';
import {
  withdrawObligationCollateral,
  withdrawObligationCollateralV2,
} from './withdraw-obligation-collateral.ts';
import {
  withdrawObligationCollateralAndRedeemReserveCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateralV2,
} from './withdraw-obligation-collateral-and-redeem-reserve-collateral.ts';

/** The lending program, in the version of its published source. */
export const lendingProgram = anchorProgram(MAINNET_PROGRAMS.klend, LENDING_ERRORS, [
  borrowObligationLiquidity,
  borrowObligationLiquidityV2,
  depositObligationCollateral,
  depositObligationCollateralV2,
  depositReserveLiquidity,
  depositReserveLiquidityAndObligationCollateral,
  depositReserveLiquidityAndObligationCollateralV2,
  flashBorrowReserveLiquidity,
  flashRepayReserveLiquidity,
  initObligation,
  initObligationFarmsForReserve,
  initReferrerTokenState,
  initUserMetadata,
  liquidateObligationAndRedeemReserveCollateral,
  liquidateObligationAndRedeemReserveCollateralV2,
  redeemReserveCollateral,
  refreshObligation,
  refreshObligationFarmsForReserve,
  refreshReserve,
  refreshReservesBatch,
  repayObligationLiquidity,
  repayObligationLiquidityV2,
  requestElevationGroup,
  withdrawObligationCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateralV2,
  withdrawObligationCollateralV2,
]);
