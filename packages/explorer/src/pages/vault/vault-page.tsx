import { useLive, useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { ActPanel } from '../../act/act-panel.tsx';
import { vaultName } from '../../lending/vault-cells.tsx';
import { absence } from '../../ui/absence.ts';
import { Address } from '../../ui/address.tsx';
import { PlaceMark } from '../../ui/mark.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { ActBar, type ActBarVerb } from './act-bar.tsx';
import { Activity } from './activity.tsx';
import { AllocationTable } from './allocation-table.tsx';
import { BehindPanel } from './behind-panel.tsx';
import { CuratorSection } from './curator-section.tsx';
import { useVaultHistory, YieldPanel } from './history-panels.tsx';
import { LeavingList } from './leaving-panel.tsx';
import { movesOf } from './moves.ts';
import { Overview } from './overview.tsx';
import { placeNames } from './place-names.ts';
import { RunsIt } from './runs-it.tsx';
import { VAULT, VAULT_CHANGES, VAULT_LIVE, type VaultDetail, type VaultPanel } from './vault-documents.ts';
import { VaultSubline } from './vault-head.tsx';
import { VaultMore } from './vault-more.tsx';
import { WeightsSection } from './weights-section.tsx';
import { WherePanel } from './where-panel.tsx';
import '../../styles/lending.css';
import '../../styles/parts.css';
import './vault.css';

export default function VaultPage({ address }: { readonly address: string }): ReactNode {
  const variables = { address };
  const result = useSluiceQuery(VAULT, variables, { refetchMs: 60_000 });
  const vault = result.data?.data.vault ?? null;
  useLive(VAULT_LIVE, { addresses: [address] }, { enabled: vault !== null });
  const panel = { document: VAULT, variables, result };
  if (vault === null)
    return (
      <Page
        title="Vault"
        crumb={<Link href="/vaults">Earn</Link>}
        aside={<Address address={address} what="vault" />}
      >
        <Panel title="Overview" {...panel}>
          {() => <Empty>There is no vault to show.</Empty>}
        </Panel>
      </Page>
    );
  return <Vault key={address} vault={vault} panel={panel} />;
}

interface VaultProps {
  readonly vault: VaultDetail;
  readonly panel: VaultPanel;
}

function Vault({ vault, panel }: VaultProps): ReactNode {
  const { address, token } = vault;
  const errors = panel.result.data?.errors ?? [];
  const history = useVaultHistory(address);
  const { moves, whyNoMoves } = useMoves(vault);
  const [verb, setVerb] = useState<ActBarVerb>('deposit');
  const form = useRef<HTMLDivElement>(null);
  const [isAllOpen, openAll] = useState(false);
  const all = useRef<HTMLDivElement>(null);
  const whyHolders = absence(
    errors,
    ['vault', 'holders'],
    'Not counted yet, or this gateway records no history',
  );
  return (
    <Page
      title={vaultName(vault)}
      crumb={
        <>
          <Link href="/vaults">Earn</Link> / {token.symbol}
        </>
      }
      mark={<PlaceMark name={vaultName(vault)} token={token.symbol} size={56} />}
      aside={<VaultSubline vault={vault} whyHolders={whyHolders} />}
    >
      <div className="with-aside">
        <div>
          <div className="untitled">
            <Panel title="Overview" {...panel}>
              {() => <Overview vault={vault} errors={errors} />}
            </Panel>
          </div>
          <BehindPanel address={address} />
        </div>
        <div ref={form} className="stays">
          <ActPanel key={verb} kind="vault" vault={address} verb={verb} />
        </div>
      </div>
      <div className="halves">
        <YieldPanel history={history} apy={vault.currentApy} />
        <Panel title="How much can leave now" secondary {...panel}>
          {() => <LeavingList vault={vault} errors={errors} />}
        </Panel>
      </div>
      <WherePanel history={history} moves={moves} whyNoMoves={whyNoMoves} symbol={token.symbol} />
      <Panel title="Allocation" secondary {...panel}>
        {() => <AllocationTable vault={vault} errors={errors} />}
      </Panel>
      <div className="halves">
        <Panel title="Who runs it" secondary {...panel}>
          {() => <RunsIt vault={vault} />}
        </Panel>
        <Activity
          vault={vault}
          moves={moves}
          onAll={() => {
            openAll(true);
            all.current?.scrollIntoView({ block: 'start' });
          }}
        />
      </div>
      <VaultMore
        vault={vault}
        panel={panel}
        history={history}
        transactions={{ isOpen: isAllOpen, onToggle: openAll, place: all }}
      />
      <div className="halves">
        <WeightsSection vault={vault} />
        <CuratorSection vault={vault} />
      </div>
      <ActBar
        onAct={(next) => {
          setVerb(next);
          form.current?.scrollIntoView({ block: 'start' });
        }}
      />
    </Page>
  );
}

/** What was moved, newest first; null with the reason while that is not known. */
function useMoves(vault: VaultDetail) {
  const result = useSluiceQuery(VAULT_CHANGES, { address: vault.address }, { refetchMs: 60_000 });
  const changes = result.data?.data.vault?.allocationChanges ?? null;
  const moves = useMemo(
    () => (changes === null ? null : movesOf(changes.nodes, placeNames(vault.allocations))),
    [changes, vault.allocations],
  );
  const whyNoMoves =
    result.error?.message ??
    absence(result.data?.errors ?? [], ['vault', 'allocationChanges'], 'What was moved is being read.');
  return { moves, whyNoMoves };
}
