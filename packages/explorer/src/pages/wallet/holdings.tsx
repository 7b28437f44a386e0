import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { claimRewardsTask } from '../../act/tasks/wallet-tasks.ts';
import { knownUsdSum } from '../../lending/usd-sum.ts';
import { absence } from '../../ui/absence.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Failure } from '../../ui/states.tsx';
import { Plain, Usd } from '../../ui/value.tsx';
import type { ActingProps } from './vault-positions.tsx';
import type { WalletState } from './wallet-documents.ts';
import type { WalletPartProps } from './wallet-summary.tsx';

type Reward = NonNullable<WalletState['claimableRewards']>[number];
type Balance = NonNullable<WalletState['balances']>[number];

/** Farm rewards that can be claimed, and tokens in the wallet. */
export function Holdings({ wallet, errors, act }: ActingProps): ReactNode {
  const { claimableRewards, balances } = wallet;
  return (
    <div className="columns">
      <div>
        <h3>Claimable rewards</h3>
        {claimableRewards === null ? (
          <Unreadable errors={errors} field="claimableRewards" />
        ) : (
          <DataTable
            label="Claimable rewards"
            rows={claimableRewards}
            columns={REWARDS}
            rowKey={({ token }) => token.mint}
            initialSort={{ key: 'usd', direction: 'descending' }}
            empty="Nothing to claim."
          />
        )}
        {act !== null && isAny(claimableRewards) && (
          <button type="button" onClick={() => act(claimRewards(wallet.address))}>
            Claim rewards
          </button>
        )}
      </div>
      <div>
        <h3>
          Token balances
          {balances !== null && (
            <span
              className="sub"
              title="Tokens with a known price, without shares of vaults, which are positions"
            >
              , <Usd derived value={pricedSum(balances)} /> with a price
            </span>
          )}
        </h3>
        {balances === null ? (
          <Unreadable errors={errors} field="balances" />
        ) : (
          <DataTable
            label="Token balances"
            rows={balances}
            columns={BALANCES}
            rowKey={({ token }) => token.mint}
            initialSort={{ key: 'usd', direction: 'descending' }}
            empty="This wallet holds no tokens."
          />
        )}
      </div>
    </div>
  );
}

const pricedSum = (balances: readonly Balance[]): string =>
  knownUsdSum(balances.filter(({ token }) => token.sharesOf === null).map(({ usd }) => usd));

const isAny = (rewards: readonly Reward[] | null): boolean => rewards !== null && rewards.length > 0;

/** The form that claims all rewards. */
export const claimRewards = (wallet: string) =>
  ({
    kind: 'tasks',
    title: claimRewardsTask.name,
    subject: wallet,
    tasks: [claimRewardsTask],
    symbols: {},
  }) as const;

function Unreadable({
  errors,
  field,
}: Pick<WalletPartProps, 'errors'> & { readonly field: keyof WalletState }): ReactNode {
  return <Failure error={new Error(absence(errors, ['wallet', field], 'Unknown'))} />;
}

const amountColumns: readonly Column<Reward | Balance>[] = [
  {
    key: 'amount',
    name: 'Amount',
    cell: ({ amount }) => <Plain value={amount} places={6} />,
    sort: { decimal: ({ amount }) => amount },
  },
  {
    key: 'usd',
    name: 'Value',
    cell: ({ usd }) => <Usd value={usd} absent="No price is known." />,
    sort: { decimal: ({ usd }) => usd },
  },
];

const REWARDS: readonly Column<Reward>[] = [
  {
    key: 'token',
    name: 'Token',
    cell: ({ token }) => token.symbol,
    sort: { text: ({ token }) => token.symbol },
  },
  ...amountColumns,
];

const BALANCES: readonly Column<Balance>[] = [
  {
    key: 'token',
    name: 'Token',
    cell: ({ token }) => (
      <span title={token.mint}>
        {token.symbol}{' '}
        {token.sharesOf === null ? (
          token.name !== token.symbol && <small className="muted">{token.name}</small>
        ) : (
          <small className="muted">
            Shares of{' '}
            <Link href={`/vaults/${token.sharesOf.address}`}>{token.sharesOf.name || 'a vault'}</Link>
          </small>
        )}
      </span>
    ),
    sort: { text: ({ token }) => token.symbol },
  },
  ...amountColumns,
];
