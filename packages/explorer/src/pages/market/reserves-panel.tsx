import { type ReactNode, useMemo } from 'react';
import { Choice } from '../../ui/choice.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { PanelResult } from '../../ui/panel-result.ts';
import { useUrlChoice } from '../../ui/url-state.ts';
import { MARKET, type Market, type MarketData, type ReserveRow } from './market-documents.ts';
import { LIMIT_COLUMNS, reserveColumns } from './reserve-columns.tsx';
import { isOfKind, type Kind, listedReserves, sharedTickers } from './reserve-list.ts';
import { useHeldMints } from './use-held-mints.ts';

/** More rows than these can be searched. */
const SEARCHED = 25;

const EMPTY: Readonly<Record<Kind, string>> = {
  all: 'The market has no reserve that is open for new positions.',
  dollars: 'No token here is worth a dollar.',
  sol: 'No token here is SOL or stands for staked SOL.',
  held: 'You hold none of these tokens.',
};

const searchText = ({ token, address }: ReserveRow): string => `${token.symbol} ${token.name} ${address}`;

export interface ReservesPanelProps {
  readonly market: Market;
  readonly variables: { readonly address: string };
  readonly result: PanelResult<MarketData>;
}

/** The reserves of a market: all of them, or those of one kind. */
export function ReservesPanel({ market, variables, result }: ReservesPanelProps): ReactNode {
  const { reserves, elevationGroups } = market;
  const held = useHeldMints();
  const [kind, choose] = useUrlChoice<Kind>('show', ['all', 'dollars', 'sol', 'held'], 'all');
  const [closed, showClosed] = useUrlChoice('closed', ['no', 'yes'], 'no');
  const listed = useMemo(() => listedReserves(reserves), [reserves]);
  const columns = useMemo(
    () =>
      reserveColumns(
        sharedTickers(reserves),
        new Set(
          elevationGroups.flatMap(({ collateralReserves }) =>
            collateralReserves.map(({ address }) => address),
          ),
        ),
      ),
    [reserves, elevationGroups],
  );
  const rows = (closed === 'yes' ? reserves : listed).filter((reserve) => isOfKind(reserve, kind, held));
  const options: readonly (readonly [Kind, string])[] = [
    ['all', `All ${listed.length}`],
    ['dollars', 'Dollars'],
    ['sol', 'SOL'],
    ...(held === null ? [] : [['held', 'You hold'] as const]),
  ];
  const others = reserves.length - listed.length;
  return (
    <Panel
      title="Reserves"
      secondary
      document={MARKET}
      variables={variables}
      result={result}
      controls={<Choice label="Reserves to show" options={options} value={kind} onChange={choose} />}
    >
      {() => (
        <>
          <DataTable
            label="Reserves"
            rows={rows}
            columns={columns}
            rowKey={({ address }) => address}
            href={({ address }) => `/reserves/${address}`}
            {...(reserves.length > SEARCHED ? { filterText: searchText } : {})}
            initialSort={{ key: 'supplied', direction: 'descending' }}
            empty={EMPTY[kind]}
          />
          {others > 0 && (
            <p className="sub">
              {others} hidden or closed {others === 1 ? 'reserve' : 'reserves'}.{' '}
              <button
                type="button"
                className="quiet"
                onClick={() => showClosed(closed === 'yes' ? 'no' : 'yes')}
              >
                {closed === 'yes' ? 'Leave them out' : others === 1 ? 'Show it' : 'Show them'}
              </button>
            </p>
          )}
          <details className="more-facts">
            <summary>Debts, thresholds and limits</summary>
            <DataTable
              label="Limits of reserves"
              rows={rows}
              columns={LIMIT_COLUMNS}
              rowKey={({ address }) => address}
              href={({ address }) => `/reserves/${address}`}
              initialSort={{ key: 'borrowed', direction: 'descending' }}
              empty={EMPTY[kind]}
            />
          </details>
        </>
      )}
    </Panel>
  );
}
