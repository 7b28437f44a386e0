import { Decimal } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { absence } from '../../ui/absence.ts';
import { Choice } from '../../ui/choice.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { Count, UsdShort } from '../../ui/value.tsx';
import { CellPanel } from './cell-panel.tsx';
import { type HeatCell, type HeatRisk, MARKET_HEAT } from './heat-documents.ts';
import { HeatMap } from './heat-map.tsx';
import {
  ALL_TOKENS,
  type HeatRow,
  heatRows,
  type Shockable,
  shocksOf,
  shockTokens,
  unacceptedSymbols,
} from './heat-shocks.ts';
import { SHOWN, useHeatState } from './heat-state.ts';
import { fallingRow, filledRows, isUnmoved, type Shown } from './heat-steps.ts';
import './heat.css';

export interface HeatMarket extends Shockable {
  readonly address: string;
}

/** The rows of a market and its map: pages that show both the map and figures of now ask once. */
export function useHeat(market: HeatMarket | null) {
  const rows = useMemo(() => (market === null ? [] : heatRows(shockTokens(market))), [market]);
  const variables = useMemo(
    () => ({ address: market?.address ?? '', shocks: [...shocksOf(rows)] }),
    [market?.address, rows],
  );
  const result = useSluiceQuery(MARKET_HEAT, variables, { refetchMs: 60_000, enabled: market !== null });
  return { rows, variables, result };
}

export type Heat = ReturnType<typeof useHeat>;

/** Debt at risk by token and fall, and beside it the loans of the chosen cell. */
export function HeatSection({
  market,
  heat: { rows, variables, result },
}: {
  readonly market: HeatMarket;
  readonly heat: Heat;
}): ReactNode {
  const state = useHeatState(rows);
  const errors = result.data?.errors ?? [];
  return (
    <div className="with-aside">
      <div>
        <Panel
          title="If prices fall"
          document={MARKET_HEAT}
          variables={variables}
          result={result}
          controls={<Choice label="Show" options={SHOWN} value={state.shown} onChange={state.show} />}
        >
          {({ market: read }) => {
            const risk = read?.risk ?? null;
            return risk === null ? (
              <Empty>{absence(errors, ['market', 'risk'], 'The loans of this market cannot be read.')}</Empty>
            ) : (
              <Content risk={risk} market={market} rows={rows} state={state} />
            );
          }}
        </Panel>
      </div>
      <div className="stay">
        {state.cell !== null && (
          <CellPanel
            market={market.address}
            cell={state.cell}
            all={state.allLoans}
            onAll={state.showAllLoans}
          />
        )}
      </div>
    </div>
  );
}

interface ContentProps {
  readonly risk: HeatRisk;
  readonly market: HeatMarket;
  readonly rows: readonly HeatRow[];
  readonly state: ReturnType<typeof useHeatState>;
}

function Content({ risk, market, rows, state }: ContentProps): ReactNode {
  const { shown, cell, choose } = state;
  const all = filledRows(rows, risk.shocks, shown);
  const unmoved = all.filter((row) => row.key !== ALL_TOKENS && isUnmoved(row, risk.now));
  const filled = all.filter((row) => !unmoved.includes(row));
  return (
    <>
      <Today now={risk.now} shown={shown} />
      <Unvalued scenario={risk.now} />
      <HeatMap rows={filled} now={risk.now} shown={shown} chosen={cell} onChoose={choose} />
      <p className="sub">
        {fallWords(fallingRow(filled, shown))}
        {unmoved.length > 0 &&
          `However deep ${listed(
            unmoved.map(({ name }) => name),
            'or',
          )} alone falls, these numbers stay. `}
        {unacceptedWords(unacceptedSymbols(market))}
      </p>
    </>
  );
}

function Today({ now, shown }: { readonly now: HeatCell; readonly shown: Shown }): ReactNode {
  const { atRisk, loans } = now;
  return (
    <p className="sub">
      Debt that could be liquidated if one token fell and the others did not. Today it is{' '}
      <strong>
        <UsdShort value={atRisk.debtUsd} />
      </strong>{' '}
      in <Count value={String(atRisk.loans)} /> of <Count value={String(loans)} /> loans,{' '}
      {Decimal.of(atRisk.badDebtUsd).isZero ? (
        'with no bad debt.'
      ) : (
        <>
          of it <UsdShort value={atRisk.badDebtUsd} /> bad debt.
        </>
      )}{' '}
      {shown === 'both'
        ? 'The second line of a cell is bad debt: the part of the first that collateral would no longer cover.'
        : shown === 'bad'
          ? 'Bad debt is the part of it that collateral would no longer cover.'
          : 'It includes bad debt, which collateral would no longer cover.'}
    </p>
  );
}

/** Why a deeper fall can put less at risk, said only where it does. */
function fallWords(row: HeatRow | null): string {
  if (row === null) return '';
  return row.key === ALL_TOKENS
    ? 'A row may fall from left to right: debts in the tokens that fall shrink with them, and their loans heal. '
    : `A row may fall from left to right: when ${row.name} falls, debts in ${row.name} shrink with it, and loans against them heal. `;
}

const unacceptedWords = (symbols: readonly string[]): string =>
  symbols.length === 0
    ? ''
    : `${listed(symbols, 'and')} ${symbols.length === 1 ? 'is' : 'are'} not accepted as collateral.`;

/** "A, B and C" */
function listed(names: readonly string[], word: string): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`;
}

const REASONS: Readonly<Record<HeatCell['unvalued'][number]['reason'], string>> = {
  PRICE_UNKNOWN: 'a token has no price',
  RESERVE_UNREADABLE: 'a reserve cannot be read',
};

function Unvalued({ scenario: { unvalued } }: { readonly scenario: HeatCell }): ReactNode {
  if (unvalued.length === 0) return null;
  return (
    <Notice tone="caution" title="Some loans are in none of these numbers.">
      <ul>
        {unvalued.map(({ reason, loans }) => (
          <li key={reason}>
            <Count value={String(loans)} /> loans: {REASONS[reason]}.
          </li>
        ))}
      </ul>
    </Notice>
  );
}
