import { addressBytes } from '@sluice/protocol/layout/base58';
import { isOffCurve } from '@sluice/protocol/layout/curve';
import type { Address } from '@solana/kit';
import { isActiveOrder } from '../../domain/obligation-orders.ts';
import { type OwnershipFields, ownershipTransfer } from '../../domain/ownership-transfer.ts';
import { NO_FIGURES, type Preview } from '../preview.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import { hasFarms, type OwnershipAccounts } from './accounts.ts';

/** The outcome of a step. @param after the obligation as the step leaves it */
export function ownershipPreview(
  { obligation, obligationAddress }: OwnershipAccounts,
  after: OwnershipFields,
  warnings: readonly BuildWarning[],
): Preview {
  return {
    ...NO_FIGURES,
    ownership: {
      obligation: obligationAddress,
      ownerBefore: obligation.owner,
      ownerAfter: after.owner,
      before: ownershipTransfer(obligation),
      after: ownershipTransfer(after),
    },
    warnings,
  };
}

export function initiationWarnings(accounts: OwnershipAccounts, newOwner: Address): BuildWarning[] {
  return [
    ...(isOffCurve(addressBytes(newOwner)) ? [cannotSign(newOwner)] : []),
    ...ordersKept(accounts),
    ...rewardsKept(accounts),
  ];
}

export const acceptanceWarnings = (accounts: OwnershipAccounts): BuildWarning[] => [
  mayChange(accounts),
  ...ordersKept(accounts),
  ...rewardsKept(accounts),
];

function cannotSign(newOwner: Address): BuildWarning {
  const message = `${newOwner} is the address of a program's account, which signs only inside that program, and there the lending program lets nobody accept (6080 CpiDisabled). Name a wallet that signs itself.`;
  return warning('NEW_OWNER_CANNOT_ACCEPT', message);
}

function mayChange({ obligation }: OwnershipAccounts): BuildWarning {
  const message = `Until the transaction lands, ${obligation.owner} can still withdraw deposits and borrow more. The obligation is taken over as it then is, with its debts.`;
  return warning('OBLIGATION_MAY_CHANGE', message);
}

function ordersKept({ obligation }: OwnershipAccounts): BuildWarning[] {
  if (!obligation.obligationOrders.some(isActiveOrder)) return [];
  const message =
    'The stop-loss and take-profit orders of the obligation stay in force. Cancel those that the new owner does not want.';
  return [warning('ORDERS_STAY', message)];
}

function rewardsKept(accounts: OwnershipAccounts): BuildWarning[] {
  if (!hasFarms(accounts)) return [];
  const message = `The transfer does not move the stakes of the obligation in reward farms: they stay in the name of ${accounts.obligation.owner}, who claims their rewards.`;
  return [warning('REWARDS_STAY', message)];
}
