import { Decimal, hasCode, type TransactionSigner } from '@sluice/client';
import { type ActionRun, useAction } from '@sluice/client/react';
import { type ReactNode, useState } from 'react';

interface DepositFormProps {
  readonly vault: string;
  readonly signer: TransactionSigner;
}

/** A deposit from the amount to its effect on the page. */
export function DepositForm({ vault, signer }: DepositFormProps): ReactNode {
  const [text, setText] = useState('');
  const amount = Decimal.parse(text);
  const { preview, run, start } = useAction(
    amount && { vaultDeposit: { wallet: signer.address, vault, amount: { tokens: amount.toString() } } },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void start?.(signer);
      }}
    >
      <input aria-label="Amount" value={text} onChange={({ target }) => setText(target.value)} />
      <output>{preview.preview?.shares && `${preview.preview.shares.after} shares after it`}</output>
      {preview.status === 'failed' && <p role="alert">{preview.error.message}</p>}
      <button type="submit" disabled={start === null}>
        Deposit
      </button>
      <p role="status">{statusOf(run)}</p>
    </form>
  );
}

function statusOf(run: ActionRun): string {
  switch (run.step) {
    case 'idle':
      return '';
    case 'building':
      return 'Building the transaction';
    case 'signing':
      return 'Sign it in your wallet';
    case 'confirming':
      return 'Waiting for the chain';
    case 'succeeded':
      return 'Deposited';
    case 'failed':
      return hasCode(run.error, 'SIGNING_FAILED') ? 'You did not sign it' : run.error.message;
  }
}
