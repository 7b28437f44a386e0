import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { earlier, type PlanItem, planOf, withItem, withoutItem } from './plan.ts';
import { useWalletChoice } from './wallet-context.tsx';

export interface PlanChoice {
  /** Actions of the chosen wallet, in order. They stay while the user goes from page to page. */
  readonly items: readonly PlanItem[];
  readonly add: (item: Omit<PlanItem, 'key'>) => void;
  readonly remove: (key: number) => void;
  /** Moves an action one step earlier. */
  readonly advance: (key: number) => void;
  readonly clear: () => void;
}

const PlanContext = createContext<PlanChoice | null>(null);

/** Needs a `WalletProvider` above it. */
export function PlanProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const { wallet } = useWalletChoice();
  const [plan, setPlan] = useState<readonly PlanItem[]>([]);
  const address = wallet?.address ?? '';
  const choice = useMemo<PlanChoice>(
    () => ({
      items: planOf(plan, address),
      add: (item) => setPlan((before) => withItem(planOf(before, address), item)),
      remove: (key) => setPlan((before) => withoutItem(before, key)),
      advance: (key) => setPlan((before) => earlier(planOf(before, address), key)),
      clear: () => setPlan([]),
    }),
    [plan, address],
  );
  return <PlanContext value={choice}>{children}</PlanContext>;
}

export function usePlanChoice(): PlanChoice {
  const choice = useContext(PlanContext);
  if (choice === null) throw new Error('A plan needs a <PlanProvider> above it.');
  return choice;
}
