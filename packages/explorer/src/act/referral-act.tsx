import type { ActionPreview } from '@sluice/client';
import type { ReactNode } from 'react';
import { Tokens } from '../ui/value.tsx';
import { ActSection } from './act-section.tsx';
import { ActionForm } from './action-form.tsx';
import { PreviewSection } from './preview-section.tsx';
import type { ActWallet } from './wallet-context.tsx';

export interface ReferralTarget {
  readonly kind: 'referral';
}

interface ReferralActProps {
  readonly wallet: ActWallet;
  readonly controls: ReactNode;
}

const TITLE = 'Claim referral fees';

/** Claims what a wallet has earned by referring others. */
export function ReferralAct({ wallet, controls }: ReferralActProps): ReactNode {
  return (
    <ActSection title={TITLE} controls={controls}>
      <ActionForm
        action={{ claimReferralFees: { wallet: wallet.address } }}
        wallet={wallet}
        name={TITLE}
        previewed={(state) => (
          <PreviewSection state={state} missing="">
            {({ referralFees }) => <Claimed fees={referralFees} />}
          </PreviewSection>
        )}
      >
        <p className="muted">Pays every reserve's fees into the wallet, as far as the reserve can pay now.</p>
      </ActionForm>
    </ActSection>
  );
}

function Claimed({ fees }: { readonly fees: ActionPreview['referralFees'] }): ReactNode {
  return (
    <ul>
      {fees.map(({ reserve, amount }) => (
        <li key={reserve}>
          <Tokens value={amount.amount} symbol={amount.token.symbol} signed />
        </li>
      ))}
    </ul>
  );
}
