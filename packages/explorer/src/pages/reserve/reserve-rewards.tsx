import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Day } from '../../ui/time.tsx';
import { Absent, Percent, Plain } from '../../ui/value.tsx';
import type { ReserveUse } from './reserve-documents.ts';
import { type RewardRow, rewardRows } from './reward-rows.ts';

/** Rewards of suppliers and borrowers besides interest. */
export function ReserveRewards({ use }: { readonly use: ReserveUse }): ReactNode {
  return (
    <DataTable
      label="Rewards"
      rows={rewardRows(use)}
      columns={REWARD_COLUMNS}
      rowKey={({ key }) => key}
      empty="Nobody pays rewards on this reserve now."
    />
  );
}

const DAY_SECONDS = Decimal.of('86400');
const UNREAD_MINT = 'The mint of the reward cannot be read';

const REWARD_COLUMNS: readonly Column<RewardRow>[] = [
  {
    key: 'token',
    name: 'Reward',
    cell: ({ symbol }) => (symbol === null ? <Absent why={UNREAD_MINT} /> : symbol),
  },
  { key: 'for', name: 'Earned by', cell: ({ earnedBy }) => earnedBy },
  {
    key: 'rate',
    name: 'Yield',
    align: 'end',
    cell: ({ rate, rateKind }) => (
      <>
        <Percent value={rate} absent="A price or the value of the positions is unknown" /> {rateKind}
      </>
    ),
  },
  {
    key: 'perDay',
    name: 'Per day',
    hint: 'Paid to everyone together',
    align: 'end',
    cell: ({ perSecond, symbol }) => (
      <Plain
        value={Decimal.of(perSecond).times(DAY_SECONDS).toString()}
        derived
        places={4}
        {...(symbol === null ? {} : { unit: symbol })}
      />
    ),
  },
  {
    key: 'ends',
    name: 'Ends',
    cell: ({ endsAt, source, perSecond }) =>
      endsAt === null ? (
        <Absent
          why={
            source === 'Campaign' || perSecond !== '0'
              ? 'No end is set'
              : 'The farm no longer pays this reward'
          }
        />
      ) : (
        <Day value={endsAt} />
      ),
  },
  { key: 'source', name: 'Source', cell: ({ source }) => source },
];
