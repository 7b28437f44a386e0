import { useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import type { ActPanelProps } from '../../act/act-panel.tsx';
import { referrerTasks } from '../../act/tasks/wallet-tasks.ts';
import { shortAddress } from '../../format/address.ts';
import { ReserveLink } from '../../lending/reserve-link.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Tokens, Usd } from '../../ui/value.tsx';
import { MARKET_NAMES, REFERRAL_FEES, type ReferralFees } from './wallet-documents.ts';

interface ReferralFeesProps {
  readonly address: string;
  /** Opens a form; null for a wallet that is not the user's. */
  readonly act: ((target: ActPanelProps) => void) | null;
}

/** Fees that a wallet has earned by referring others. Nothing for the wallet of another that has not. */
export function ReferralFeesPanel({ address, act }: ReferralFeesProps): ReactNode {
  const variables = { address };
  const result = useSluiceQuery(REFERRAL_FEES, variables, { refetchMs: 60_000 });
  const fees = result.data?.data.wallet.referralFees ?? [];
  if (fees.length === 0 && act === null) return null;
  const controls = act !== null && (
    <>
      {fees.length > 0 && (
        <button type="button" onClick={() => act({ kind: 'referral' })}>
          Claim
        </button>
      )}
      <ReferrerButton address={address} act={act} />
    </>
  );
  return (
    <Panel
      title="Referral fees"
      document={REFERRAL_FEES}
      variables={variables}
      result={result}
      controls={controls}
    >
      {() => (
        <DataTable
          label="Referral fees"
          rows={fees}
          columns={COLUMNS}
          rowKey={({ reserveAddress }) => reserveAddress}
          empty="You have earned no fees by referring others."
        />
      )}
    </Panel>
  );
}

interface ReferrerButtonProps {
  readonly address: string;
  readonly act: NonNullable<ReferralFeesProps['act']>;
}

function ReferrerButton({ address, act }: ReferrerButtonProps): ReactNode {
  const { data } = useSluiceQuery(MARKET_NAMES, {});
  const markets = data?.data.markets.nodes ?? [];
  const options = markets.map(
    (market) => [market.address, market.name || shortAddress(market.address)] as const,
  );
  return (
    <button
      type="button"
      disabled={data === undefined}
      onClick={() =>
        act({
          kind: 'tasks',
          title: 'Referrals',
          subject: address,
          tasks: referrerTasks(options),
          symbols: {},
        })
      }
    >
      Name or become a referrer
    </button>
  );
}

const COLUMNS: readonly Column<ReferralFees>[] = [
  {
    key: 'reserve',
    name: 'Reserve',
    cell: ({ reserve, reserveAddress }) =>
      reserve === null ? shortAddress(reserveAddress) : <ReserveLink reserve={reserve} />,
  },
  {
    key: 'unclaimed',
    name: 'Unclaimed',
    cell: ({ unclaimed: { amount, token } }) => <Tokens value={amount} symbol={token.symbol} />,
    align: 'end',
  },
  {
    key: 'usd',
    name: 'Value',
    cell: ({ unclaimed }) => <Usd value={unclaimed.usd} absent="The token has no known price." />,
    align: 'end',
  },
  {
    key: 'claimable',
    name: 'Can be claimed now',
    hint: 'Part for which the reserve has free liquidity',
    cell: ({ claimable: { amount, token } }) => <Tokens value={amount} symbol={token.symbol} />,
    align: 'end',
  },
  {
    key: 'earned',
    name: 'Earned in all',
    cell: ({ earned: { amount, token } }) => <Tokens value={amount} symbol={token.symbol} />,
    align: 'end',
  },
];
