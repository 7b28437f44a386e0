import { useLive, usePages } from '@sluice/client/react';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { listedRows } from '../../lending/listed.ts';
import { vaultName } from '../../lending/vault-cells.tsx';
import { Choice } from '../../ui/choice.tsx';
import { largestOf } from '../../ui/currency.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Page } from '../../ui/page.tsx';
import { pagesResult } from '../../ui/pages-result.ts';
import { Panel } from '../../ui/panel.tsx';
import { useUrlChoice, useUrlState } from '../../ui/url-state.ts';
import { Count, Percent, Usd } from '../../ui/value.tsx';
import { CreateVaultSection } from './create-vault-section.tsx';
import { VaultChoices } from './vault-choices.tsx';
import { TRENDS, type Trend, vaultColumns } from './vault-columns.tsx';
import { isChosen, summaryOf, type VaultChoice } from './vault-list.ts';
import { VAULTS, VAULTS_LIVE } from './vaults-documents.ts';
import './vaults.css';

/** The gateway's limits: items of a page, and addresses of a stream. */
const MOST = 100;
const VARIABLES = { first: MOST };

export default function VaultsPage(): ReactNode {
  const { choice, choose } = useVaultChoice();
  const [trend, setTrend] = useUrlChoice<Trend>('trend', ['value', 'apy'], 'value');
  const [isCreating, create] = useState(false);
  const pages = usePages(VAULTS, VARIABLES, { connection: ({ vaults }) => vaults, refetchMs: 60_000 });
  const { answers, nodes } = pages;
  useLive(VAULTS_LIVE, { addresses: followed(nodes) }, { enabled: nodes.length > 0 });
  const rows = useMemo(
    () => listedRows(answers, ({ vaults }) => vaults.nodes, ['vaults', 'nodes']),
    [answers],
  );
  const shown = useMemo(
    () => rows.filter(({ node }) => isChosen(node, { mint: choice.mint, rewarded: choice.rewarded })),
    [rows, choice.mint, choice.rewarded],
  );
  const columns = useMemo(
    () => vaultColumns(trend, largestOf(nodes.map(({ totalValue }) => totalValue?.usd))),
    [trend, nodes],
  );
  const { totalUsd, unvalued, meanApy } = useMemo(() => summaryOf(nodes), [nodes]);
  return (
    <Page
      title="Vaults"
      lead="Each vault takes deposits in one token, lends them through several reserves and issues shares."
      aside={
        <>
          <Link href="/curators">Curators</Link>
          {!isCreating && (
            <button type="button" onClick={() => create(true)}>
              Create a vault
            </button>
          )}
        </>
      }
    >
      {isCreating && <CreateVaultSection onClose={() => create(false)} />}
      <Panel
        title="Earn vaults"
        document={VAULTS}
        variables={VARIABLES}
        result={pagesResult(pages)}
        controls={
          <>
            <Choice label="Line of 30 days" options={TRENDS} value={trend} onChange={setTrend} />
            <VaultChoices vaults={nodes} choice={choice} onChange={choose} />
          </>
        }
      >
        {() => (
          <>
            <Figures>
              <Figure name="Vaults">
                <Count
                  value={(pages.totalCount ?? nodes.length).toString()}
                  derived={pages.totalCount === null}
                />
              </Figure>
              <Figure
                name="Total value"
                hint={pages.hasNext ? 'Of the vaults that are shown' : 'Of all vaults'}
                {...(unvalued === 0 ? {} : { detail: `without ${unvalued} of unknown value` })}
              >
                <Usd value={totalUsd} derived />
              </Figure>
              <Figure name="Mean APY" hint="Current APY of the vaults, weighted by their value">
                <Percent value={meanApy} absent="No value is known" derived />
              </Figure>
            </Figures>
            <DataTable
              label="Vaults"
              rows={shown}
              columns={columns}
              rowKey={({ node }) => node.address}
              href={({ node }) => `/vaults/${node.address}`}
              filterText={({ node }) =>
                `${vaultName(node)} ${node.token.symbol} ${node.curator.name ?? ''} ${node.address}`
              }
              initialSort={{ key: 'value', direction: 'descending' }}
              empty={
                rows.length === 0
                  ? 'The catalogue of this deployment has no vaults.'
                  : 'There is no such vault.'
              }
            />
            <MoreButton pages={pages} what="vaults" />
          </>
        )}
      </Panel>
    </Page>
  );
}

/** Which vaults are shown, as part of the link. */
function useVaultChoice() {
  const [mint, setMint] = useUrlState('token', '');
  const [rewards, setRewards] = useUrlState('rewards', '');
  const choice: VaultChoice = { mint: mint === '' ? null : mint, rewarded: rewards === 'yes' };
  const choose = (next: VaultChoice) => {
    setMint(next.mint ?? '');
    setRewards(next.rewarded ? 'yes' : '');
  };
  return { choice, choose };
}

/** In an order of their own: a stream must not be opened again because the vaults have changed places. */
const followed = (vaults: readonly { readonly address: string }[]): string[] =>
  vaults
    .slice(0, MOST)
    .map(({ address }) => address)
    .sort();
