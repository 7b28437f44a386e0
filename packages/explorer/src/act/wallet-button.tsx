import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useWalletChoice } from './wallet-context.tsx';
import './act.css';

/** The wallet that acts, for the header: a link to its page, and a way to forget it. */
export function WalletButton(): ReactNode {
  const { wallet, forget } = useWalletChoice();
  if (wallet === null)
    return (
      <Link href="/wallet" className="wallet-button">
        Connect
      </Link>
    );
  return (
    <span className="wallet-button">
      <Link href={`/wallet/${wallet.address}`} title={wallet.address}>
        {wallet.name}
      </Link>
      <button type="button" className="quiet" onClick={forget} aria-label={`Disconnect ${wallet.name}`}>
        ×
      </button>
    </span>
  );
}
