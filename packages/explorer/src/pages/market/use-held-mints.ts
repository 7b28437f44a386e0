import { Decimal } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import { useMemo } from 'react';
import { useWalletChoice } from '../../act/wallet-context.tsx';
import { HELD_TOKENS } from './market-documents.ts';

/** Mints of the tokens that the reader's wallet holds, supplies or owes. Null without a wallet, and until it is read. */
export function useHeldMints(): ReadonlySet<string> | null {
  const address = useWalletChoice().wallet?.address;
  const result = useSluiceQuery(HELD_TOKENS, { address: address ?? '' }, { enabled: address !== undefined });
  const wallet = result.data?.data.wallet ?? null;
  return useMemo(() => {
    if (wallet === null) return null;
    const { balances, obligations } = wallet;
    const inLoans = obligations?.nodes.flatMap(({ deposits, borrows }) => [...deposits, ...borrows]) ?? [];
    return new Set([
      ...(balances ?? []).filter(({ amount }) => !Decimal.of(amount).isZero).map(({ token }) => token.mint),
      ...inLoans.flatMap(({ amount }) => (amount === null ? [] : [amount.token.mint])),
    ]);
  }, [wallet]);
}
