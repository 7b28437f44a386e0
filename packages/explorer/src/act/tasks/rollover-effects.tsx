import type { ActionPreview } from '@sluice/client';
import type { ReactNode } from 'react';
import { ChangeRow, ChangeTable } from '../../ui/change-table.tsx';
import { Time } from '../../ui/time.tsx';
import { Percent } from '../../ui/value.tsx';
import { bpsFraction, daysText, type RolloverSettings } from './rollover-words.ts';

type Rollover = NonNullable<ActionPreview['rollover']>;

/** The terms on which anyone may roll a debt over, before and after. */
export function RolloverEffects({ rollover }: { readonly rollover: Rollover }): ReactNode {
  const { before, after, termEndsAt, rolloverFrom } = rollover;
  const rows: readonly (readonly [name: string, text: (settings: RolloverSettings) => ReactNode])[] = [
    ['May be rolled over', ({ enabled }) => yesNo(enabled)],
    [
      'Highest rate',
      ({ maxBorrowRateBps: rate }) => (rate === '0' ? 'None' : <Percent derived value={bpsFraction(rate)} />),
    ],
    ['Shortest new term', ({ minTermSeconds }) => daysText(minTermSeconds)],
    ['Also without a term', ({ openTermAllowed }) => yesNo(openTermAllowed)],
    ['From no term to a fixed one', ({ migrationToFixedEnabled }) => yesNo(migrationToFixedEnabled)],
    ['Days before the end', ({ windowDays }) => windowDays ?? 'As the market'],
  ];
  return (
    <>
      <ChangeTable caption="Rollover settings before and after" heads={['Rollover', 'Before', 'After']}>
        {rows.map(([name, text]) => (
          <ChangeRow key={name} name={name} before={text(before)} after={text(after)} />
        ))}
      </ChangeTable>
      {termEndsAt !== null && (
        <p className="muted">
          The debt ends <Time value={termEndsAt} />
          {rolloverFrom !== null && (
            <>
              {' '}
              and can roll over from <Time value={rolloverFrom} />
            </>
          )}
          .
        </p>
      )}
    </>
  );
}

const yesNo = (is: boolean): string => (is ? 'Yes' : 'No');
