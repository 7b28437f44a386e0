import type { Action } from '@sluice/client';
import { looksLikeAddress } from '../ui/looks-like-address.ts';

/** The transfer of a loan to another wallet. Addresses. */
export interface TransferTarget {
  readonly kind: 'transfer';
  readonly market: string;
  readonly obligation: string;
  readonly step: TransferStep;
}

/** The owner offers the loan or withdraws the offer; the new owner accepts it. */
export type TransferStep = 'offer' | 'withdraw' | 'accept';

export const TRANSFER_NAMES: Readonly<Record<TransferStep, string>> = {
  offer: 'Offer the loan',
  withdraw: 'Withdraw the offer',
  accept: 'Take the loan over',
};

/** The action, or null while the new owner is missing. */
export function transferOf(target: TransferTarget, wallet: string, newOwner: string): Action | null {
  const { market, obligation: address, step } = target;
  const obligation = { address };
  if (step === 'accept') return { acceptObligation: { wallet, obligation: address } };
  if (step === 'withdraw') return { abortObligationTransfer: { wallet, market, obligation } };
  const named = newOwner.trim();
  if (!looksLikeAddress(named)) return null;
  return { initiateObligationTransfer: { wallet, market, obligation, newOwner: named } };
}
