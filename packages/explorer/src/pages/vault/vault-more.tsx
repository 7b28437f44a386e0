import type { ReactNode, Ref } from 'react';
import { Panel } from '../../ui/panel.tsx';
import type { VaultHistoryState } from './history-panels.tsx';
import type { VaultDetail, VaultPanel } from './vault-documents.ts';
import { VaultAccounts, VaultFees } from './vault-facts.tsx';
import { VaultHistory } from './vault-history.tsx';
import { VaultRewards } from './vault-rewards.tsx';
import { VaultTransactions } from './vault-transactions.tsx';

interface VaultMoreProps {
  readonly vault: VaultDetail;
  readonly panel: VaultPanel;
  readonly history: VaultHistoryState;
  readonly transactions: {
    readonly isOpen: boolean;
    readonly onToggle: (isOpen: boolean) => void;
    readonly place: Ref<HTMLDivElement>;
  };
}

/** What few come for, each behind its title. */
export function VaultMore({ vault, panel, history, transactions }: VaultMoreProps): ReactNode {
  const errors = panel.result.data?.errors ?? [];
  return (
    <div className="more-of-it">
      <details>
        <summary>Rewards</summary>
        <Panel title="Rewards" secondary {...panel}>
          {() => <VaultRewards vault={vault} errors={errors} />}
        </Panel>
      </details>
      <details>
        <summary>Fees and smallest amounts</summary>
        <Panel title="Fees" secondary {...panel}>
          {() => <VaultFees vault={vault} />}
        </Panel>
      </details>
      <details>
        <summary>Value and share price over time</summary>
        <Panel title="Value and share price" secondary {...history.panel}>
          {() => <VaultHistory history={history} symbol={vault.token.symbol} />}
        </Panel>
      </details>
      <details>
        <summary>Accounts</summary>
        <Panel title="Accounts" secondary {...panel}>
          {() => <VaultAccounts vault={vault} errors={errors} />}
        </Panel>
      </details>
      <div ref={transactions.place}>
        <details
          open={transactions.isOpen}
          onToggle={({ currentTarget }) => transactions.onToggle(currentTarget.open)}
        >
          <summary>All transactions</summary>
          {transactions.isOpen && <VaultTransactions address={vault.address} />}
        </details>
      </div>
    </div>
  );
}
