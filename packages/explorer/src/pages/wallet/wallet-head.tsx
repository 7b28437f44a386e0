import { type ReactNode, useEffect } from 'react';
import { shortAddress } from '../../format/address.ts';
import { Address } from '../../ui/address.tsx';
import { Badge } from '../../ui/notice.tsx';
import type { WalletState } from './wallet-documents.ts';
import { counted } from './wallet-summary.tsx';

export interface WalletHeadProps {
  readonly address: string;
  /** Name of the connected wallet that this is. Null for the wallet of another. */
  readonly mine: string | null;
  readonly state: WalletState | undefined;
  readonly isLive: boolean;
}

/** Whose wallet it is, and how much is in it. */
export function WalletHead({ address, mine, state, isLive }: WalletHeadProps): ReactNode {
  useEffect(() => {
    document.title = `Wallet ${shortAddress(address)} · Sluice`;
  }, [address]);
  const vaults = state?.vaultPositions?.totalCount;
  const loans = state?.obligations?.totalCount;
  return (
    <header className="wallet-head">
      <svg width="48" height="48" viewBox="0 0 48 48" aria-hidden="true">
        <rect width="48" height="48" rx="24" fill="var(--accent-soft)" />
        <path
          d="M10 18c5-5 9 5 14 0s9-5 14 0M10 26c5-5 9 5 14 0s9-5 14 0M10 34c5-5 9 5 14 0s9-5 14 0"
          fill="none"
          stroke="var(--accent)"
          strokeWidth="3"
          strokeLinecap="round"
        />
      </svg>
      <div>
        <h1>{mine === null ? `Wallet ${shortAddress(address)}` : 'Your wallet'}</h1>
        <p className="sub">
          <Address address={address} what="wallet" />
          {typeof vaults === 'number' && <span>{counted(vaults, 'vault')}</span>}
          {typeof loans === 'number' && <span>{counted(loans, 'loan')}</span>}
          {mine !== null && <span>{mine}</span>}
          {isLive && <Badge>Live</Badge>}
        </p>
      </div>
    </header>
  );
}
