import type { ActionPreview, Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { rate, type Shown, tokens } from '../format/numbers.ts';
import { ChangeRow, ChangeTable } from '../ui/change-table.tsx';
import { healthRisk } from '../ui/health.tsx';
import { ShownValue } from '../ui/value.tsx';
import { apyAfter, apyBefore, type Deed } from './act-words.ts';
import { bare, type PreviewRow, previewRows } from './preview-rows.ts';

/** The figures that decide; the others are behind "Every balance that changes". */
const DECISIVE = /^(Deposit|Debt) in|^Ticket|^Health factor|^Loan to value|^Can still borrow/;
const UNKNOWN = 'A value that it depends on is unknown';

interface Row extends Omit<PreviewRow, 'show'> {
  readonly show: (value: Decimal) => Shown;
  /** The state after it may carry the unit, which the one before it has not. */
  readonly showAfter?: (value: Decimal) => Shown;
}

function rowsOf(deed: Deed, preview: ActionPreview): readonly Row[] {
  const { vault, symbol, verb } = deed;
  if (vault === null)
    return previewRows(preview, verb, symbol)
      .filter(({ name }) => DECISIVE.test(name))
      .map((row) =>
        // The unit stands once, so that both numbers have room.
        /^(Deposit|Debt) in/.test(row.name)
          ? {
              ...row,
              name: row.name.startsWith('Debt') ? 'Your debt' : 'Your deposit',
              show: bare,
              showAfter: row.show,
            }
          : row,
      );
  const { position } = vault;
  const shares = position?.stakedShares ?? vault.shares;
  const [before, after] = position === null ? [null, null] : [apyBefore(vault), apyAfter(vault)];
  const rows: readonly Row[] = [
    {
      name: 'Your deposit',
      before: vault.tokens?.before ?? null,
      after: vault.tokens?.after ?? null,
      show: bare,
      showAfter: (value) => tokens(value, symbol),
      absent: UNKNOWN,
    },
    {
      name: position === null || !vault.hasFarm ? 'Shares' : 'Staked shares',
      before: shares?.before ?? null,
      after: shares?.after ?? null,
      show: bare,
      absent: UNKNOWN,
    },
    {
      name: 'Your APY',
      before: before?.toString() ?? null,
      after: after?.toString() ?? null,
      show: rate,
      absent: 'No shares',
    },
  ];
  return rows.filter((row) => row.before !== null || row.after !== null);
}

interface NowAndAfterProps {
  readonly deed: Deed;
  readonly preview: ActionPreview;
}

/** The figures that an action changes, as they are and as it leaves them. */
export function NowAndAfter({ deed, preview }: NowAndAfterProps): ReactNode {
  const rows = rowsOf(deed, preview);
  if (rows.length === 0) return null;
  return (
    <ChangeTable
      caption="Now and after"
      heads={[
        <span key="what" className="visually-hidden">
          Figure
        </span>,
        'Now',
        'After',
      ]}
    >
      {rows.map(({ name, before, after, show, showAfter = show, absent }) => (
        <ChangeRow
          key={name}
          name={name}
          before={<ShownValue derived none value={before} show={show} absent={absent} />}
          after={<ShownValue derived none value={after} show={showAfter} absent={absent} />}
          tone={name === 'Health factor' && after !== null ? healthRisk(after) : ''}
        />
      ))}
    </ChangeTable>
  );
}
