import { COLLATERAL_DECIMALS } from '@sluice/protocol/klend/reserve';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { bpsInWords } from '../../domain/borrow-order-words.ts';
import { borrowOrderSet, obligationOrderSet, orderIndex } from './order-sentences.ts';
import type { Sentences, Writer } from './writer.ts';

const flash = 'reserveLiquidityMint';

/** Instructions of the lending program, in words. */
export const LENDING: Sentences = {
  depositReserveLiquidityAndObligationCollateral: (w) =>
    `Deposit ${w.tokens('liquidityAmount', 'reserveLiquidityMint')} as collateral`,
  borrowObligationLiquidity: (w) =>
    `Borrow ${w.tokens('liquidityAmount', 'borrowReserveLiquidityMint', 'as much as possible of')}`,
  repayObligationLiquidity: (w) =>
    `Repay ${w.tokens('liquidityAmount', 'reserveLiquidityMint', 'all debt of')}`,
  withdrawObligationCollateralAndRedeemReserveCollateral: (w) =>
    `Withdraw ${collateral(w, 'collateralAmount')} of the deposit in the ${w.the('withdrawReserve')}`,
  depositObligationCollateral: (w) =>
    `Deposit ${collateral(w, 'collateralAmount')} of the ${w.the('depositReserve')} into the obligation`,
  withdrawObligationCollateral: (w) =>
    `Withdraw ${collateral(w, 'collateralAmount')} of the ${w.the('withdrawReserve')} without redeeming`,
  repayAndWithdrawAndRedeem: (w) =>
    `Repay ${w.tokens('repayAmount', 'reserveLiquidityMint', 'all debt of')} and withdraw ${collateral(w, 'withdrawCollateralAmount')} of the deposit in the ${w.the('withdrawReserve')}`,
  depositAndWithdraw: (w) =>
    `Deposit ${w.tokens('liquidityAmount', 'reserveLiquidityMint')} as collateral and withdraw ${collateral(w, 'withdrawCollateralAmount')} of the deposit in the ${w.the('withdrawReserve')}`,
  liquidateObligationAndRedeemReserveCollateral: (w) =>
    `Liquidate an obligation: repay up to ${w.tokens('liquidityAmount', 'repayReserveLiquidityMint')} for collateral in the ${w.the('withdrawReserve')}, at least ${w.tokens('minAcceptableReceivedLiquidityAmount', 'withdrawReserveLiquidityMint')}`,
  flashBorrowReserveLiquidity: (w) => `Take a flash loan of ${w.tokens('liquidityAmount', flash)}`,
  flashRepayReserveLiquidity: (w) =>
    `Repay the flash loan of ${w.tokens('liquidityAmount', flash)} and its fee`,
  depositReserveLiquidity: (w) =>
    `Exchange ${w.tokens('liquidityAmount', flash)} for collateral tokens of the ${w.the('reserve')}`,
  redeemReserveCollateral: (w) => `Redeem ${collateral(w, 'collateralAmount')} of the ${w.the('reserve')}`,
  refreshReserve: (w) => `Refresh interest and price of the ${w.the('reserve')}`,
  refreshReservesBatch: () => 'Refresh interest and prices of several reserves',
  refreshObligation: () => 'Refresh values and limits of the obligation',
  initUserMetadata: () => 'Register the wallet with the lending program',
  initObligation: () => 'Create the obligation that holds deposits and debts',
  initObligationFarmsForReserve: (w) =>
    `Enrol the obligation in the ${w.arg('mode') === 0 ? 'deposit' : 'borrow'} rewards of the ${w.the('reserve')}`,
  refreshObligationFarmsForReserve: (w) =>
    `Refresh the obligation's ${w.arg('mode') === 0 ? 'deposit' : 'borrow'} rewards of the ${w.the('reserve')}`,
  requestElevationGroup: (w) =>
    w.arg('elevationGroup') === 0
      ? 'Leave the elevation group'
      : `Move the obligation to elevation group ${String(w.arg('elevationGroup'))}`,
  enqueueToWithdraw: (w) =>
    `Queue ${collateral(w, 'collateralAmount')} of the ${w.the('reserve')} for withdrawal to ${w.the('userDestinationLiquidityTa')}`,
  withdrawQueuedLiquidity: (w) =>
    `Pay the first ticket in the withdraw queue of the ${w.the('reserve')} to ${w.the('userDestinationLiquidity')}`,
  cancelWithdrawTicket: (w) =>
    `Cancel ${collateral(w, 'collateralAmountToCancel')} of ticket ${w.units('ticketSequenceNumber')} in the withdraw queue of the ${w.the('reserve')}`,
  recoverInvalidTicketCollateral: (w) =>
    `Return the collateral tokens of the unpayable ticket ${w.units('ticketSequenceNumber')} in the withdraw queue of the ${w.the('reserve')}`,
  setBorrowOrder: borrowOrderSet,
  fillBorrowOrder: (w) =>
    `Fill borrow order ${orderIndex(w)} of the obligation from the ${w.the('borrowReserve')}`,
  setObligationOrder: obligationOrderSet,
  executeObligationOrder: (w) =>
    `Execute order ${String(w.arg('orderIndex'))} of the obligation, giving up to ${given(w)} for at least ${received(w)}`,
  updateObligationConfig: rolloverSetting,
  rolloverFixedTermBorrow: (w) =>
    w.isSame('sourceBorrowReserve', 'targetBorrowReserve')
      ? `Start the term of the debt in the ${w.the('sourceBorrowReserve')} anew`
      : `Roll the debt in the ${w.the('sourceBorrowReserve')} over to the reserve ${w.ends('targetBorrowReserve')}`,
  initiateObligationOwnershipTransfer: (w) =>
    `Offer the ownership of the obligation to ${w.address('newOwner')}`,
  approveObligationOwnershipTransfer: (w) =>
    `Approve the transfer of the obligation to ${w.the('pendingOwner')}`,
  acceptObligationOwnership: () => 'Accept the ownership of the obligation',
  abortObligationOwnershipTransfer: () => 'Withdraw the offer of ownership of the obligation',
  topupReserveRewards: (w) =>
    `Add ${w.tokens('amount', 'reserveLiquidityMint')} to the rewards for deposits in the ${w.the('reserve')}`,
  calculateCtokenExchangeRate: (w) => `Read the exchange rate of the ${w.the('reserve')}`,
  cloneReserveConfig: (w) =>
    `Copy the settings of the ${w.the('sourceReserve')} to the reserve ${w.ends('targetReserve')}`,
  withdrawReferrerFees: (w) =>
    `Withdraw the referrer's share of the fees of the ${w.the('reserve')} to ${w.the('referrerTokenAccount')}`,
  initReferrerStateAndShortUrl: (w) => `Register the referral link "${w.text('shortUrl')}"`,
  deleteReferrerStateAndShortUrl: () => 'Delete the referral link',
  initReferrerTokenState: () => "Create the account for the referrer's share of the fees",
};

const collateral = (w: Writer, arg: string) =>
  w.units(arg) === U64_MAX ? 'all' : `${placePoint(w.units(arg), COLLATERAL_DECIMALS)} collateral tokens`;

const given = (w: Writer) => w.tokens('maxGivenLiquidityAmount', givenMint(w));
const received = (w: Writer) => w.tokens('minReceivedLiquidityAmount', receivedMint(w));
/** Odd numbers lever up: the executor gives collateral and receives the debt. */
const leversUp = (w: Writer) => Number(w.arg('expectedOpportunityType')) % 2 === 1;
const givenMint = (w: Writer) =>
  leversUp(w) ? 'collateralReserveLiquidityMint' : 'debtReserveLiquidityMint';
const receivedMint = (w: Writer) =>
  leversUp(w) ? 'debtReserveLiquidityMint' : 'collateralReserveLiquidityMint';

/** Settings of a debt's rollover, by `mode`. */
const ROLLOVER_SETTINGS: readonly ((value: bigint) => string)[] = [
  (value) => `${allow(value)} the automatic rollover`,
  (value) => `set the highest rate after a rollover to ${bpsInWords(value)} a year`,
  (value) => `set the shortest term after a rollover to ${value} seconds`,
  (value) => `${allow(value)} a rollover without a fixed term`,
  (value) => `${allow(value)} a move to a fixed term`,
  (value) =>
    value === 0n
      ? "use the market's window for a rollover"
      : `set the window for a rollover to ${value} days`,
];

const allow = (value: bigint) => (value === 0n ? 'forbid' : 'allow');

function rolloverSetting(w: Writer): string {
  const setting = ROLLOVER_SETTINGS[Number(w.arg('mode'))]?.(w.number('value'));
  return setting === undefined
    ? 'Change a setting of the obligation'
    : `For the debt in the ${w.the('borrowReserve')}, ${setting}`;
}
