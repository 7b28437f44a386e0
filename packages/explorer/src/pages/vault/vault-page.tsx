import { useLive, useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { ActPanel } from '../../act/act-panel.tsx';
import { NameMark, RunBy } from '../../lending/curator-name.tsx';
import { vaultName } from '../../lending/vault-cells.tsx';
import { Address } from '../../ui/address.tsx';
import { Badge } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { AllocationTable } from './allocation-table.tsx';
import { CuratorSection } from './curator-section.tsx';
import { VAULT, VAULT_LIVE, type VaultDetail } from './vault-documents.ts';
import { VaultAccounts, VaultFees } from './vault-facts.tsx';
import { VaultFigures } from './vault-figures.tsx';
import { VaultHistory } from './vault-history.tsx';
import { VaultRewards } from './vault-rewards.tsx';
import { VaultTransactions } from './vault-transactions.tsx';
import { WeightsSection } from './weights-section.tsx';
import '../../styles/lending.css';
import './vault.css';

export default function VaultPage({ address }: { readonly address: string }): ReactNode {
  const variables = { address };
  const result = useSluiceQuery(VAULT, variables, { refetchMs: 60_000 });
  const vault = result.data?.data.vault ?? null;
  const errors = result.data?.errors ?? [];
  useLive(VAULT_LIVE, { addresses: [address] }, { enabled: vault !== null });
  const panel = { document: VAULT, variables, result };
  return (
    <Page
      title={vault === null ? 'Vault' : vaultName(vault)}
      aside={
        <>
          <Address address={address} what="vault" />
          {vault !== null && <Marks vault={vault} />}
          {vault !== null && <RunBy curator={vault.curator} />}
        </>
      }
    >
      <Panel title="Overview" {...panel}>
        {({ vault: read }) =>
          read === null ? (
            <Empty>There is no vault to show.</Empty>
          ) : (
            <VaultFigures vault={read} errors={errors} />
          )
        }
      </Panel>
      {vault !== null && (
        <>
          <div className="with-aside">
            <div>
              <VaultHistory address={address} />
            </div>
            <div>
              <ActPanel kind="vault" vault={address} />
              <Panel title="Fees" secondary {...panel}>
                {() => <VaultFees vault={vault} />}
              </Panel>
            </div>
          </div>
          <Panel title="Allocation" secondary {...panel}>
            {() => <AllocationTable vault={vault} errors={errors} />}
          </Panel>
          <WeightsSection vault={vault} />
          <CuratorSection vault={vault} />
          <div className="columns">
            <Panel title="Rewards" secondary {...panel}>
              {() => <VaultRewards vault={vault} errors={errors} />}
            </Panel>
            <Panel title="Accounts" secondary {...panel}>
              {() => <VaultAccounts vault={vault} errors={errors} />}
            </Panel>
          </div>
          <VaultTransactions address={address} />
        </>
      )}
    </Page>
  );
}

function Marks({ vault }: { readonly vault: VaultDetail }): ReactNode {
  const { token, isCurated, isPrivateCredit } = vault;
  return (
    <>
      <NameMark vault={vault} />
      <Badge>{token.symbol}</Badge>
      {isCurated === true && <Badge tone="safe">Curated markets only</Badge>}
      {isPrivateCredit && <Badge tone="caution">Private credit</Badge>}
    </>
  );
}
