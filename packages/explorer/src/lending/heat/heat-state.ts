import { useUrlChoice, useUrlState } from '../../ui/url-state.ts';
import { ALL_TOKENS, CHANGES, type Change, type HeatRow } from './heat-shocks.ts';
import type { Shown } from './heat-steps.ts';

/** A cell of the map. */
export interface Chosen {
  readonly row: HeatRow;
  readonly change: Change;
}

export const SHOWN: readonly (readonly [Shown, string])[] = [
  ['both', 'Both'],
  ['liquidatable', 'Liquidatable'],
  ['bad', 'Bad debt'],
];

/** In the link, a cell is its token and its fall: `all-30`. */
const INITIAL = `${ALL_TOKENS}-30`;

/** What the map shows and the cell whose loans are listed, as part of the link. */
export function useHeatState(rows: readonly HeatRow[]) {
  const [shown, show] = useUrlChoice<Shown>('heat', ['both', 'liquidatable', 'bad'], 'both');
  const [text, setText] = useUrlState('cell', INITIAL);
  const [loans, setLoans] = useUrlChoice('cell.loans', ['few', 'all'], 'few');
  return {
    shown,
    show,
    cell: cellOf(rows, text) ?? cellOf(rows, INITIAL),
    choose: ({ row, change }: Chosen) => setText(`${row.key}${change}`),
    allLoans: loans === 'all',
    showAllLoans: (all: boolean) => setLoans(all ? 'all' : 'few'),
  };
}

function cellOf(rows: readonly HeatRow[], text: string): Chosen | null {
  const [key, percent] = text.split('-');
  const row = rows.find((each) => each.key === key);
  const change = CHANGES.find((each) => each === `-${percent}`);
  return row === undefined || change === undefined ? null : { row, change };
}
