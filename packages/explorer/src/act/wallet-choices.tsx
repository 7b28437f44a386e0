import { type ReactNode, useState } from 'react';
import { useWalletChoice } from './wallet-context.tsx';
import './act.css';

/** A button for each wallet that can sign: the localnet wallet and the installed ones. */
export function WalletChoices({
  onChoice,
}: {
  /** Called with the address of the wallet that the user chose. */
  readonly onChoice?: (address: string) => void;
}): ReactNode {
  const { localnet, installed, chooseLocalnet, connect } = useWalletChoice();
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (wallet: (typeof installed)[number]) => {
    setProblem(null);
    try {
      const address = await connect(wallet);
      if (address === null) setProblem(`${wallet.name} gave no account that can sign.`);
      else onChoice?.(address);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : `${wallet.name} refused.`);
    }
  };
  return (
    <div className="wallet-choices">
      {localnet !== null && (
        <button
          type="button"
          onClick={() => {
            chooseLocalnet();
            onChoice?.(localnet.address);
          }}
        >
          Use the localnet wallet
        </button>
      )}
      {installed.map((wallet) => (
        <button type="button" key={wallet.name} onClick={() => void take(wallet)}>
          <img src={wallet.icon} alt="" width={16} height={16} /> Connect {wallet.name}
        </button>
      ))}
      {localnet === null && installed.length === 0 && (
        <p className="muted">No wallet of the Wallet Standard is installed in this browser.</p>
      )}
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
