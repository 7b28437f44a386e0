import type { ReactNode } from 'react';
import type { ActPanelProps } from '../../act/act-panel.tsx';
import { TRANSFER_NAMES, type TransferStep } from '../../act/transfer-action.ts';
import { useWalletChoice } from '../../act/wallet-context.tsx';
import { shortAddress } from '../../format/address.ts';
import { Notice } from '../../ui/notice.tsx';
import type { Loan } from './wallet-documents.ts';

interface LoanTransferProps {
  readonly loan: Loan;
  readonly isOwner: boolean;
  readonly open: (target: ActPanelProps) => void;
}

/** The transfer of a loan that is under way, with the step that the user can take. */
export function LoanTransfer({ loan, isOwner, open }: LoanTransferProps): ReactNode {
  const { wallet } = useWalletChoice();
  const { market, address, ownershipTransfer: transfer } = loan;
  if (market === null) return null;
  const button = (step: TransferStep) => (
    <button
      type="button"
      aria-label={`${TRANSFER_NAMES[step]} ${shortAddress(address)}`}
      onClick={() => open({ kind: 'transfer', market: market.address, obligation: address, step })}
    >
      {TRANSFER_NAMES[step]}
    </button>
  );
  if (transfer === null) return isOwner ? button('offer') : null;
  return (
    <>
      <Notice tone="caution" title={`Offered to ${shortAddress(transfer.newOwner)}.`}>
        {transfer.remainingSteps.join(' ')}
      </Notice>
      {isOwner && transfer.canAbort && button('withdraw')}
      {transfer.state === 'APPROVED' && wallet?.address === transfer.newOwner && button('accept')}
    </>
  );
}
