import { Decimal, type SluiceError } from '@sluice/client';
import { type ReactNode, useMemo } from 'react';
import { absence } from '../../ui/absence.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Absent, Percent, Plain } from '../../ui/value.tsx';
import type { VaultDetail } from './vault-documents.ts';

type Farm = NonNullable<VaultDetail['farm']>;
type Token = VaultDetail['rewards'][number]['token'];

interface RewardRow {
  readonly key: string;
  readonly token: Token;
  /** Why the token is null. */
  readonly whyToken: string;
  readonly from: 'Farm' | 'Campaign';
  /** A fraction per year: APR of a farm, APY of a campaign. */
  readonly rate: string | null;
  /** Whole tokens, paid to all holders together. */
  readonly perSecond: string;
  /** Null when it no longer pays, and for a campaign. */
  readonly endsAt: string | null;
}

const DAY_SECONDS = Decimal.of(86_400n);
const UNPRICED = 'The reward has no price, or the value of the shares is unknown';

/** Rewards for shareholders: those of the farm for staked shares, and those of campaigns. */
export function VaultRewards({
  vault,
  errors,
}: {
  readonly vault: VaultDetail;
  readonly errors: readonly SluiceError[];
}): ReactNode {
  const { farm, rewards } = vault;
  const rows = useMemo(
    () => [...farmRows(farm, errors), ...campaignRows(rewards, errors)],
    [farm, rewards, errors],
  );
  if (farm === null && rewards.length === 0)
    return (
      <Empty>
        {absence(errors, ['vault', 'farm'], 'The vault has no farm, and no reward campaign is running.')}
      </Empty>
    );
  return (
    <>
      {farm !== null && (
        <p>
          <Plain value={farm.totalStaked} /> <span className="muted">of</span>{' '}
          <Plain value={vault.sharesIssued} /> <span className="muted">shares are staked in the farm.</span>
        </p>
      )}
      <DataTable
        label="Rewards"
        rows={rows}
        columns={COLUMNS}
        rowKey={({ key }) => key}
        empty="The farm pays no reward now."
      />
    </>
  );
}

const farmRows = (farm: Farm | null, errors: readonly SluiceError[]): RewardRow[] =>
  (farm?.rewards ?? []).map(({ apr, perSecond, endsAt, token }, index) => ({
    key: `farm ${index}`,
    token,
    whyToken: absence(errors, ['vault', 'farm', 'rewards', index, 'token'], 'The mint cannot be read'),
    from: 'Farm',
    rate: apr,
    perSecond,
    endsAt,
  }));

const campaignRows = (rewards: VaultDetail['rewards'], errors: readonly SluiceError[]): RewardRow[] =>
  rewards.map(({ apy, tokensPerSecond, token }, index) => ({
    key: `campaign ${index}`,
    token,
    whyToken: absence(errors, ['vault', 'rewards', index, 'token'], 'The mint cannot be read'),
    from: 'Campaign',
    rate: apy,
    perSecond: tokensPerSecond,
    endsAt: null,
  }));

const COLUMNS: readonly Column<RewardRow>[] = [
  {
    key: 'token',
    name: 'Token',
    cell: ({ token, whyToken }) =>
      token === null ? <Absent why={whyToken} /> : <span title={token.mint}>{token.symbol}</span>,
  },
  { key: 'from', name: 'From', cell: ({ from }) => from },
  {
    key: 'rate',
    name: 'Rate',
    hint: 'Per year: not compounded for a farm, compounded daily for a campaign',
    sort: { decimal: ({ rate }) => rate },
    cell: ({ rate, from }) => (
      <>
        <Percent value={rate} absent={UNPRICED} />{' '}
        <span className="muted">{from === 'Farm' ? 'APR' : 'APY'}</span>
      </>
    ),
  },
  {
    key: 'perDay',
    name: 'Per day',
    hint: 'Tokens per day at the current rate, to all holders together',
    sort: { decimal: ({ perSecond }) => perSecond },
    cell: ({ perSecond }) => (
      <Plain value={Decimal.of(perSecond).times(DAY_SECONDS).toString()} places={2} derived />
    ),
  },
  {
    key: 'endsAt',
    name: 'Ends',
    cell: ({ endsAt, from }) =>
      endsAt === null ? (
        <Absent why={from === 'Farm' ? 'The farm no longer pays it' : 'A campaign has no stored end'} />
      ) : (
        <Time value={endsAt} />
      ),
  },
];
