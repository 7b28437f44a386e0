import type { ActionPreview } from '@sluice/client';
import { type ReactNode, useState } from 'react';
import { shortAddress } from '../format/address.ts';
import { ActSection } from './act-section.tsx';
import { ActionForm } from './action-form.tsx';
import { PreviewSection } from './preview-section.tsx';
import { TextField } from './text-field.tsx';
import { TRANSFER_NAMES, type TransferTarget, transferOf } from './transfer-action.ts';
import type { ActWallet } from './wallet-context.tsx';

interface TransferActProps {
  readonly target: TransferTarget;
  readonly wallet: ActWallet;
  readonly controls: ReactNode;
}

/** Offers a loan to another wallet, withdraws the offer, or accepts it. */
export function TransferAct({ target, wallet, controls }: TransferActProps): ReactNode {
  const [newOwner, setNewOwner] = useState('');
  const title = TRANSFER_NAMES[target.step];
  return (
    <ActSection title={title} controls={controls}>
      <ActionForm
        action={transferOf(target, wallet.address, newOwner)}
        wallet={wallet}
        name={title}
        previewed={(state) => (
          <PreviewSection state={state} missing="Enter the address of the new owner.">
            {({ ownership }) => <Ownership ownership={ownership} />}
          </PreviewSection>
        )}
      >
        {target.step === 'offer' && (
          <TextField label="Address of the new owner" kind="text" value={newOwner} onChange={setNewOwner} />
        )}
      </ActionForm>
    </ActSection>
  );
}

function Ownership({ ownership }: { readonly ownership: ActionPreview['ownership'] }): ReactNode {
  if (ownership === null) return null;
  const { ownerBefore, ownerAfter, after } = ownership;
  return (
    <>
      <p>
        {ownerBefore === ownerAfter
          ? `The loan stays with ${shortAddress(ownerAfter)}.`
          : `The loan goes from ${shortAddress(ownerBefore)} to ${shortAddress(ownerAfter)}.`}
      </p>
      {after !== null && (
        <ol>
          {after.remainingSteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
    </>
  );
}
