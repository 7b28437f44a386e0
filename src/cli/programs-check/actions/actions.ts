import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import type { Address, KeyPairSigner } from '@solana/kit';
import type { ActionKind } from '../../../builders/action-kinds.ts';
import type { CheckedAction } from '../checked-action.ts';
import type { Subject } from '../subject.ts';
import { borrowOrders } from './borrow-orders.ts';
import { claimRewards } from './claim.ts';
import { curatorActions } from './curator.ts';
import { loanActions } from './lending.ts';
import { liquidate } from './liquidation.ts';
import { transfers } from './ownership.ts';
import { queueActions } from './queue.ts';
import { nameReferrer, referrerActions } from './referral.ts';
import { rollover } from './rollover.ts';
import { leverageActions, repayWithCollateral, swapThereAndBack } from './swaps.ts';
import { investVault, vaultActions } from './vault.ts';

/** Actions that the check leaves out, and why. */
export const NOT_WALKED: Readonly<Partial<Record<ActionKind, string>>> = {
  ACCEPT_OBLIGATION: 'needs the approval of the admin of the lending program',
};

/**
 * All other actions, ordered so that each finds what it needs. Those that open a position are undone by later ones.
 *
 * @param newVault key pair of a vault to create
 */
export function actionsFor(
  subject: Subject,
  lendingProgram: Address,
  newVault: KeyPairSigner,
): readonly CheckedAction[] {
  const { wallet, market } = subject;
  const { address: obligation } = obligationAddress(lendingProgram, wallet, market, VANILLA_OBLIGATION);
  const loan = loanActions(subject, obligation);
  return [
    nameReferrer(subject),
    ...vaultActions(subject),
    investVault(subject),
    ...loan.open,
    ...rollover(subject, obligation),
    ...borrowOrders(subject, obligation),
    repayWithCollateral(subject, obligation),
    ...swapThereAndBack(subject, obligation, 'DEBT'),
    ...loan.repay,
    // Without the debt, which takes room in the transaction.
    ...swapThereAndBack(subject, obligation, 'DEPOSIT'),
    ...transfers(subject, obligation),
    ...queueActions(subject, obligation),
    loan.withdraw,
    ...leverageActions(subject, lendingProgram),
    ...referrerActions(subject),
    liquidate(subject),
    claimRewards(subject),
    ...curatorActions(subject, newVault),
  ];
}
