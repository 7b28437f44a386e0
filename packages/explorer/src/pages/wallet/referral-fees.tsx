import { useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import type { ActPanelProps } from '../../act/act-panel.tsx';
import { ReserveLink } from '../../lending/reserve-link.tsx';
import { shortAddress } from '../../ui/address.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Usd, Value } from '../../ui/value.tsx';
import { REFERRAL_FEES, type ReferralFees } from './wallet-documents.ts';

interface ReferralFeesProps {
  readonly address: string;
  /** Opens a form; null for a wallet that is not the user's. */
  readonly act: ((target: ActPanelProps) => void) | null;
}

/** Fees that a wallet has earned by referring others. Nothing for a wallet that has not. */
export function ReferralFeesPanel({ address, act }: ReferralFeesProps): ReactNode {
  const variables = { address };
  const result = useSluiceQuery(REFERRAL_FEES, variables, { refetchMs: 60_000 });
  const fees = result.data?.data.wallet.referralFees ?? [];
  if (fees.length === 0) return null;
  const claim = act !== null && (
    <button type="button" onClick={() => act({ kind: 'referral' })}>
      Claim
    </button>
  );
  return (
    <Panel
      title="Referral fees"
      document={REFERRAL_FEES}
      variables={variables}
      result={result}
      controls={claim}
    >
      {() => (
        <DataTable
          label="Referral fees"
          rows={fees}
          columns={COLUMNS}
          rowKey={({ reserveAddress }) => reserveAddress}
          empty="No fees."
        />
      )}
    </Panel>
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
    cell: ({ unclaimed: { amount, token } }) => <Value value={amount} unit={token.symbol} places={6} />,
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
    cell: ({ claimable: { amount, token } }) => <Value value={amount} unit={token.symbol} places={6} />,
    align: 'end',
  },
  {
    key: 'earned',
    name: 'Earned in all',
    cell: ({ earned: { amount, token } }) => <Value value={amount} unit={token.symbol} places={6} />,
    align: 'end',
  },
];
