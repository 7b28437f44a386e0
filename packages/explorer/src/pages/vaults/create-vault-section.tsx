import { lazy, type ReactNode, Suspense } from 'react';
import { ActSection } from '../../act/act-section.tsx';
import { WalletChoices } from '../../act/wallet-choices.tsx';
import { useWalletChoice } from '../../act/wallet-context.tsx';
import { Loading } from '../../ui/states.tsx';
import '../../act/act.css';

const CreateVault = lazy(() => import('../../act/vaults/create-vault-act.tsx'));

/** The form that creates a vault for the chosen wallet. */
export function CreateVaultSection({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { wallet } = useWalletChoice();
  const close = (
    <button type="button" className="quiet" onClick={onClose}>
      Close
    </button>
  );
  return (
    <ActSection isWide title="Create a vault" controls={close}>
      {wallet === null ? (
        <>
          <p>Choose a wallet to act with.</p>
          <WalletChoices />
        </>
      ) : (
        <Suspense fallback={<Loading what="the form" />}>
          <CreateVault key={wallet.address} wallet={wallet} />
        </Suspense>
      )}
    </ActSection>
  );
}
