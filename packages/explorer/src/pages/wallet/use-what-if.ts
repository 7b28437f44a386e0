import { useSluiceQuery } from '@sluice/client/react';
import { useMemo } from 'react';
import { useSettled } from '../../ui/use-settled.ts';
import { priceShocks, type TokenGroup, tokenGroups } from './token-groups.ts';
import type { Loan } from './wallet-documents.ts';
import { type SupposedLoan, supposedLoans } from './what-if.ts';
import { WHAT_IF } from './what-if-documents.ts';
import { useWhatIfState } from './what-if-state.ts';

/** What the reader supposes, and what it does: for the panel, and for the picture of all loans. */
export function useWhatIf(address: string, loans: readonly Loan[]) {
  const [supposed, suppose] = useWhatIfState();
  const groups: readonly TokenGroup[] = useMemo(() => tokenGroups(loans), [loans]);
  const variables = useSettled({
    address,
    prices: [...priceShocks(groups, supposed.changes)],
    days: supposed.days,
  });
  const result = useSluiceQuery(WHAT_IF, variables, { enabled: loans.length > 0, refetchMs: 30_000 });
  const wallet = result.data?.data.wallet;
  const states: readonly SupposedLoan[] = useMemo(
    () => (wallet === undefined ? [] : supposedLoans(wallet)),
    [wallet],
  );
  return { supposed, suppose, groups, variables, result, states };
}

export type WhatIf = ReturnType<typeof useWhatIf>;
