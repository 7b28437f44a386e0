import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { shortAddress } from '../format/address.ts';
import { Icon } from '../ui/icon.tsx';
import { useWalletChoice } from './wallet-context.tsx';
import './act.css';

/** The wallet that acts, for the header: a link to its page, and a way to forget it. */
export function WalletButton(): ReactNode {
  const { wallet, forget } = useWalletChoice();
  if (wallet === null)
    return (
      <Link href="/wallet" className="tool">
        Connect
      </Link>
    );
  return (
    <>
      <Link href={`/wallet/${wallet.address}`} className="tool" title={`${wallet.name}, ${wallet.address}`}>
        <i className="dot safe" />
        <span className="mono">{shortAddress(wallet.address)}</span>
      </Link>
      <button
        type="button"
        className="tool bare forget"
        onClick={forget}
        aria-label={`Disconnect ${wallet.name}`}
      >
        <Icon name="close" />
      </button>
    </>
  );
}
