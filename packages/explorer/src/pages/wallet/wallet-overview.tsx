import type { ResultOf } from '@sluice/client';
import { useLive, useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ActPanel, type ActPanelProps } from '../../act/act-panel.tsx';
import { useWalletChoice } from '../../act/wallet-context.tsx';
import { shortAddress } from '../../format/address.ts';
import { Address } from '../../ui/address.tsx';
import { Badge, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Holdings } from './holdings.tsx';
import { Loans } from './loans.tsx';
import { ReachPanel } from './reach-panel.tsx';
import { ReferralFeesPanel } from './referral-fees.tsx';
import { Transactions } from './transactions.tsx';
import { VaultPositions } from './vault-positions.tsx';
import { type Loan, WALLET, WALLET_UPDATES, type WalletState } from './wallet-documents.ts';
import { WalletFigures } from './wallet-figures.tsx';
import { ProfitHistoryPanel, ValueHistoryPanel } from './wallet-history.tsx';
import { WhatIfPanel } from './what-if-panel.tsx';
import { WithdrawTicketsPanel } from './withdraw-tickets.tsx';
import './wallet.css';

/** Longest lists at first, and when the user asks for more. */
const [FEW, MANY] = [20, 100];

/** One query and one stream for the state of the wallet, shown by several panels. */
export function WalletOverview({ address }: { readonly address: string }): ReactNode {
  const [first, setFirst] = useState(FEW);
  const variables = { address, first };
  const result = useSluiceQuery(WALLET, variables, { refetchMs: 60_000 });
  const state = result.data?.data.wallet;
  const positions = state?.vaultPositions?.nodes.length ?? 0;
  const loans = state?.obligations?.nodes.length ?? 0;
  const live = useLive(
    WALLET_UPDATES,
    { address, positions: Math.max(1, positions), loans: Math.max(1, loans) },
    { enabled: state !== undefined },
  );
  useAccountChanges(live.event?.data.wallet, result.refetch);
  const { wallet } = useWalletChoice();
  const [managed, manage] = useState<ActPanelProps | null>(null);
  const errors = result.data?.errors ?? [];
  const mine = wallet?.address === address;
  const act = mine ? manage : null;
  const panel = { document: WALLET, variables, result };
  const indebted = (state?.obligations?.nodes ?? []).filter(({ borrows }) => borrows.length > 0);
  const more = (list: WalletState['vaultPositions'] | WalletState['obligations']) =>
    (list?.totalCount ?? 0) > (list?.nodes.length ?? 0) &&
    first < MANY && (
      <button type="button" onClick={() => setFirst(MANY)}>
        Show more of {list?.totalCount}
      </button>
    );
  return (
    <Page
      title="Wallet"
      documentTitle={`Wallet ${shortAddress(address)}`}
      aside={
        <>
          <Address address={address} what="wallet" />
          {mine && <Badge tone="safe">{wallet.name}</Badge>}
          {live.state === 'live' && <Badge>Live</Badge>}
        </>
      }
    >
      {live.error !== null && (
        <Notice tone="caution" title="Live updates have stopped.">
          {live.error.message}
        </Notice>
      )}
      <Panel title="Overview" {...panel}>
        {(data) => <WalletFigures wallet={data.wallet} errors={errors} />}
      </Panel>
      {state !== undefined && (
        <div className="columns">
          <ValueHistoryPanel address={address} count={loans} />
          <ProfitHistoryPanel address={address} count={positions} />
        </div>
      )}
      <div className={managed === null ? 'page' : 'with-aside'}>
        <div className="page">
          <Panel title="Vault positions" secondary {...panel}>
            {(data) => (
              <>
                <VaultPositions wallet={data.wallet} errors={errors} act={act} />
                {more(data.wallet.vaultPositions)}
              </>
            )}
          </Panel>
          <Panel title="Loans" secondary {...panel}>
            {(data) => (
              <>
                <Loans wallet={data.wallet} errors={errors} act={act} open={manage} />
                {more(data.wallet.obligations)}
              </>
            )}
          </Panel>
          {(state?.withdrawTickets?.nodes.length ?? 0) > 0 && (
            <WithdrawTicketsPanel address={address} act={act} />
          )}
          <ReferralFeesPanel address={address} act={act} />
          {isAny(indebted) && (
            <>
              <WhatIfPanel loans={indebted} />
              <ReachPanel loans={indebted} act={act} />
            </>
          )}
        </div>
        {managed !== null && (
          <Managed key={JSON.stringify(managed)} target={managed} close={() => manage(null)} />
        )}
      </div>
      <Panel title="Rewards and balances" secondary {...panel}>
        {(data) => <Holdings wallet={data.wallet} errors={errors} act={act} />}
      </Panel>
      <Transactions address={address} />
    </Page>
  );
}

const isAny = (loans: readonly Loan[]): loans is readonly [Loan, ...Loan[]] => loans.length > 0;

interface ManagedProps {
  readonly target: ActPanelProps;
  readonly close: () => void;
}

/** The form of a row, beside the tables or below them: it comes into view when it is opened. */
function Managed({ target, close }: ManagedProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    element.focus({ preventScroll: true });
    const { top } = element.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) element.scrollIntoView({ block: 'start' });
  }, []);
  return (
    <div className="managed" ref={box} tabIndex={-1}>
      <ActPanel {...target} onClose={close} />
    </div>
  );
}

type Update = ResultOf<typeof WALLET_UPDATES>['wallet'];

/** Events have what moves with prices. When an account has changed, everything is read again. */
function useAccountChanges(update: Update | undefined, refetch: () => Promise<unknown>): void {
  const newest = useRef(refetch);
  newest.current = refetch;
  const slot = update?.reason === 'ACCOUNT' ? update.slot : null;
  useEffect(() => {
    if (slot !== null) void newest.current();
  }, [slot]);
}
