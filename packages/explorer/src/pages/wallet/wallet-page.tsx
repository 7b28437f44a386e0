import type { ReactNode } from 'react';
import { looksLikeAddress } from '../../ui/looks-like-address.ts';
import { WalletChooser } from './wallet-chooser.tsx';
import { WalletOverview } from './wallet-overview.tsx';

/** Without an address: a choice of wallets. */
export default function WalletPage({ address }: { readonly address?: string }): ReactNode {
  if (address === undefined) return <WalletChooser />;
  if (!looksLikeAddress(address)) return <WalletChooser key={address} wrong={address} />;
  return <WalletOverview key={address} address={address} />;
}
