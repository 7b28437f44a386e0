import { Decimal } from '@sluice/client';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { usdShort } from '../../format/numbers.ts';
import { TokenMark } from '../../ui/mark.tsx';
import type { HeatCell } from './heat-documents.ts';
import { ALL_TOKENS, CHANGES, type Change, changeText } from './heat-shocks.ts';
import type { Chosen } from './heat-state.ts';
import { type FilledRow, heatOf, heatSteps, levelOf, type Shown } from './heat-steps.ts';

export interface HeatMapProps {
  readonly rows: readonly FilledRow[];
  readonly now: HeatCell;
  readonly shown: Shown;
  readonly chosen: Chosen | null;
  readonly onChoose: (cell: Chosen) => void;
}

/** Token by fall of its price. A cell is a button that lists its loans; arrow keys go from cell to cell. */
export function HeatMap({ rows, now, shown, chosen, onChoose }: HeatMapProps): ReactNode {
  const table = useRef<HTMLTableElement>(null);
  const today = heatOf(now, shown);
  const steps = heatSteps(
    today,
    rows.flatMap(({ cells }) => cells.map((cell) => heatOf(cell, shown))),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const cells = [...(table.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const index = cells.findIndex((cell) => cell === document.activeElement);
    const next = cells[index + step];
    if (index < 0 || next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <>
      <table className="heat-map" ref={table} onKeyDown={onKeyDown}>
        <caption className="visually-hidden">
          Liquidatable debt and bad debt by token and fall of its price
        </caption>
        <thead>
          <tr>
            <th scope="col" className="start">
              Token
            </th>
            {CHANGES.map((change) => (
              <th key={change} scope="col">
                {changeText(change)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">
                <span className="token">
                  {row.key !== ALL_TOKENS && <TokenMark name={row.name} size={24} />}
                  {row.name}
                </span>
              </th>
              {row.cells.map((cell, i) => {
                const change = CHANGES[i] ?? CHANGES[0];
                return (
                  <td key={change}>
                    <Cell
                      name={`${row.name} ${changeText(change)}`}
                      cell={cell}
                      shown={shown}
                      level={levelOf(heatOf(cell, shown), today, steps)}
                      pressed={chosen?.row.key === row.key && chosen.change === change}
                      onPress={() => onChoose({ row, change: change as Change })}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <HeatLegend steps={steps} />
    </>
  );
}

/** Arrow keys, as steps over the cells row by row. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: CHANGES.length,
  ArrowUp: -CHANGES.length,
};

interface CellProps {
  /** Token and fall. */
  readonly name: string;
  readonly cell: HeatCell;
  readonly shown: Shown;
  readonly level: number;
  readonly pressed: boolean;
  readonly onPress: () => void;
}

function Cell({ name, cell: { atRisk }, shown, level, pressed, onPress }: CellProps): ReactNode {
  const [debt, bad] = [Decimal.of(atRisk.debtUsd), Decimal.of(atRisk.badDebtUsd)];
  return (
    <button
      type="button"
      className={`cell heat-${level}`}
      aria-pressed={pressed}
      title={`${atRisk.debtUsd} USD, of it bad debt ${atRisk.badDebtUsd} USD`}
      onClick={onPress}
    >
      <span>
        <span className="visually-hidden">{name}: </span>
        {figure(shown === 'bad' ? bad : debt)}
        <span className="visually-hidden">
          {shown === 'bad' ? ' bad debt' : ' can be liquidated'} in {atRisk.loans} loans{' '}
        </span>
      </span>
      {shown === 'both' && !bad.isZero && (
        <small>
          <span className="word">bad </span>
          {badText(bad)}
        </small>
      )}
    </button>
  );
}

/** A cell of a phone has room for six characters. */
const badText = (bad: Decimal): string =>
  usdShort(bad, { threeDigits: bad.compare(Decimal.of('99950')) >= 0 }).text;

const figure = (value: Decimal): string =>
  value.isZero ? 'None' : usdShort(value, { threeDigits: true }).text;

/** A round number without the zeros behind its point: $1.5K for $1.50K. */
const roundText = (step: Decimal): string =>
  usdShort(step, { threeDigits: true }).text.replace(/(\.\d*?)0+(?=[A-Z]?$)/, (_, kept: string) =>
    kept === '.' ? '' : kept,
  );

function HeatLegend({ steps }: { readonly steps: readonly Decimal[] }): ReactNode {
  const first = 5 - steps.length;
  return (
    <p className="heat-legend">
      <span className="heat-0">as today</span>
      {steps.map((step, i) => (
        <span key={step.toString()} className={`heat-${first + i}`}>
          to {roundText(step)}
        </span>
      ))}
      {steps.length > 0 && <span className="heat-5">more</span>}
    </p>
  );
}
