import { lendingGlobalConfigAddress } from '@sluice/protocol/klend/addresses';
import { lendingGlobalConfig } from '@sluice/protocol/klend/global-config';
import { obligation as layout } from '@sluice/protocol/klend/obligation';
import {
  abortObligationOwnershipTransfer as abort,
  acceptObligationOwnership as accept,
  approveObligationOwnershipTransfer as approve,
  initiateObligationOwnershipTransfer as initiate,
} from '@sluice/protocol/klend/obligation-instructions';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import { anchorInstruction, ensure, load, patch } from '../anchor.ts';
import { checkHasOne, checkSeeds } from '../anchor-accounts.ts';
import { LENDING } from './lending-errors.ts';
import { ObligationState } from './obligation-state.ts';
import {
  checkAlone,
  checkInstructionsSysvar,
  checkNoBorrowOrders,
  checkNoDurableNonce,
  TRANSFER,
  transferState,
} from './ownership-checks.ts';

/** The steps by which an obligation changes its owner. Neither reserves nor the obligation need a refresh. */

const { klend } = MAINNET_PROGRAMS;
const NO_TRANSFER = { ownershipTransferState: TRANSFER.none, pendingOwner: NO_ADDRESS };

/** The owner names the new one. */
export const initiateObligationOwnershipTransfer = anchorInstruction(
  initiate,
  7_000,
  ({ invocation, accounts, args }) => {
    const obligation = ObligationState.load(accounts.obligation);
    checkHasOne(obligation.data.owner, accounts.owner);
    checkInstructionsSysvar(accounts.instructionSysvarAccount);

    const isIdle = transferState(obligation.data) === TRANSFER.none;
    ensure(isIdle, LENDING.obligationOwnershipTransferInProgress);
    obligation.clearExpiredBorrowOrders(invocation.clock);
    checkAlone(invocation);
    checkNoBorrowOrders(obligation);
    const { newOwner } = args;
    const isOther = newOwner !== NO_ADDRESS && newOwner !== obligation.data.owner;
    ensure(isOther, LENDING.obligationInvalidPendingOwner);
    obligation.save();
    patch(accounts.obligation, layout, {
      ownershipTransferState: TRANSFER.initiated,
      pendingOwner: newOwner,
    });
  },
);

/** The admin of the lending program agrees. Unlike the other steps, this one may share its transaction. */
export const approveObligationOwnershipTransfer = anchorInstruction(
  approve,
  7_000,
  ({ invocation, accounts }) => {
    const config = load(accounts.globalConfig, lendingGlobalConfig, klend);
    const obligation = ObligationState.load(accounts.obligation);
    checkSeeds(accounts.globalConfig, lendingGlobalConfigAddress(klend));
    checkHasOne(config.globalAdmin, accounts.globalAdmin);
    checkPendingOwner(obligation, accounts.pendingOwner);
    checkInstructionsSysvar(accounts.instructionSysvarAccount);

    checkNoDurableNonce(invocation);
    obligation.clearExpiredBorrowOrders(invocation.clock);
    checkInitiated(obligation);
    checkNoBorrowOrders(obligation);
    obligation.save();
    patch(accounts.obligation, layout, { ownershipTransferState: TRANSFER.approved });
  },
);

/** The new owner takes the obligation over. */
export const acceptObligationOwnership = anchorInstruction(accept, 7_000, ({ invocation, accounts }) => {
  const obligation = ObligationState.load(accounts.obligation);
  checkPendingOwner(obligation, accounts.pendingOwner);
  checkInstructionsSysvar(accounts.instructionSysvarAccount);

  obligation.clearExpiredBorrowOrders(invocation.clock);
  checkAlone(invocation);
  checkNoBorrowOrders(obligation);
  const isApproved = transferState(obligation.data) === TRANSFER.approved;
  ensure(isApproved, LENDING.obligationOwnershipTransferNotApproved);
  obligation.save();
  patch(accounts.obligation, layout, { ...NO_TRANSFER, owner: obligation.data.pendingOwner });
});

/** The owner gives up a transfer that is not approved yet. */
export const abortObligationOwnershipTransfer = anchorInstruction(
  abort,
  6_000,
  ({ invocation, accounts }) => {
    const obligation = ObligationState.load(accounts.obligation);
    checkHasOne(obligation.data.owner, accounts.owner);
    checkInstructionsSysvar(accounts.instructionSysvarAccount);

    checkAlone(invocation);
    checkInitiated(obligation);
    patch(accounts.obligation, layout, NO_TRANSFER);
  },
);

function checkInitiated({ data }: ObligationState): void {
  const isInitiated = transferState(data) === TRANSFER.initiated;
  ensure(isInitiated, LENDING.obligationOwnershipTransferNotInInitiatedState);
}

function checkPendingOwner({ data }: ObligationState, account: Parameters<typeof checkHasOne>[1]): void {
  checkHasOne(data.pendingOwner, account, LENDING.obligationInvalidPendingOwner);
}
