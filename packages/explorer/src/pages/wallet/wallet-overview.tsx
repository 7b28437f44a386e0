import type { ResultOf } from '@sluice/client';
import { useLive, useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ActPanel, type ActPanelProps } from '../../act/act-panel.tsx';
import { useWalletChoice } from '../../act/wallet-context.tsx';
import { usdSum } from '../../lending/usd-sum.ts';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Stay } from '../../ui/stay.tsx';
import { Usd } from '../../ui/value.tsx';
import { ActivityPanel } from './activity-panel.tsx';
import { OrdersAndAlerts } from './alerts/orders-and-alerts.tsx';
import { picturedLoans } from './health-loans.ts';
import { HealthPicture } from './health-picture.tsx';
import { claimRewards, Holdings } from './holdings.tsx';
import { IncomePanel } from './income-panel.tsx';
import { Loans } from './loans.tsx';
import { ReachPanel } from './reach-panel.tsx';
import { ReferralFeesPanel } from './referral-fees.tsx';
import { changedGroups, type TokenGroup } from './token-groups.ts';
import { Transactions } from './transactions.tsx';
import { useWhatIf } from './use-what-if.ts';
import { VaultPositions } from './vault-positions.tsx';
import {
  type Loan,
  type VaultPosition,
  WALLET,
  WALLET_UPDATES,
  type WalletState,
} from './wallet-documents.ts';
import { WalletHead } from './wallet-head.tsx';
import { ProfitHistoryPanel, ValueHistoryPanel } from './wallet-history.tsx';
import { counted, WalletSummary } from './wallet-summary.tsx';
import { WalletTasks } from './wallet-tasks.tsx';
import { signedPercent } from './what-if.ts';
import { WhatIfPanel } from './what-if-panel.tsx';
import type { Supposition } from './what-if-state.ts';
import { WithdrawTicketsPanel } from './withdraw-tickets.tsx';
import './wallet.css';
import './what-if.css';

/** Longest lists at first, and when the user asks for more. */
const [FEW, MANY] = [20, 100];

/** One query and one stream for the state of the wallet, shown by several panels. */
export function WalletOverview({ address }: { readonly address: string }): ReactNode {
  const [first, setFirst] = useState(FEW);
  const variables = { address, first };
  const result = useSluiceQuery(WALLET, variables, { refetchMs: 60_000 });
  const state = result.data?.data.wallet;
  const positions = state?.vaultPositions?.nodes ?? NO_POSITIONS;
  const loans = state?.obligations?.nodes ?? NO_LOANS;
  const live = useLive(
    WALLET_UPDATES,
    { address, positions: Math.max(1, positions.length), loans: Math.max(1, loans.length) },
    { enabled: state !== undefined },
  );
  useAccountChanges(live.event?.data.wallet, result.refetch);
  const { wallet } = useWalletChoice();
  const [managed, manage] = useState<ActPanelProps | null>(null);
  const errors = result.data?.errors ?? [];
  const mine = wallet?.address === address;
  const act = mine ? manage : null;
  const panel = { document: WALLET, variables, result };
  const indebted = loans.filter(({ borrows }) => borrows.length > 0);
  const whatIf = useWhatIf(address, loans);
  const supposed = supposedWords(whatIf.groups, whatIf.supposed);
  const more = (list: WalletState['vaultPositions'] | WalletState['obligations']) =>
    (list?.totalCount ?? 0) > (list?.nodes.length ?? 0) &&
    first < MANY && (
      <button type="button" onClick={() => setFirst(MANY)}>
        Show more of {list?.totalCount}
      </button>
    );
  const aside =
    managed !== null ? (
      <Managed key={JSON.stringify(managed)} target={managed} close={() => manage(null)} />
    ) : isAny(indebted) ? (
      <WhatIfPanel whatIf={whatIf} loans={loans} />
    ) : null;
  return (
    <div className="page wallet">
      <WalletHead
        address={address}
        mine={mine ? wallet.name : null}
        state={state}
        isLive={live.state === 'live'}
      />
      {live.error !== null && (
        <Notice tone="caution" title="Live updates have stopped.">
          {live.error.message}
        </Notice>
      )}
      <div className={aside === null ? 'page' : 'with-aside'}>
        <div>
          <Panel title="Overview" {...panel}>
            {(data) => (
              <WalletSummary
                wallet={data.wallet}
                errors={errors}
                claim={act === null ? null : () => act(claimRewards(address))}
              />
            )}
          </Panel>
          {state !== undefined && indebted.length > 0 && (
            <HealthPicture
              loans={picturedLoans(loans, whatIf.states, supposed !== null)}
              supposed={supposed}
            />
          )}
          {state !== undefined && <WalletTasks loans={indebted} groups={whatIf.groups} act={act} />}
          {state !== undefined && (
            <>
              <Loans wallet={state} errors={errors} act={act} open={manage} groups={whatIf.groups} />
              {more(state.obligations)}
            </>
          )}
        </div>
        {aside !== null && <Stay>{aside}</Stay>}
      </div>
      <Panel
        title="Vaults"
        secondary
        {...panel}
        controls={
          <strong>
            <Usd
              derived
              value={usdSum(positions.map(({ value }) => value?.usd))}
              absent="A part of it has no known price."
            />
          </strong>
        }
      >
        {(data) => (
          <>
            <VaultPositions wallet={data.wallet} errors={errors} act={act} />
            {more(data.wallet.vaultPositions)}
          </>
        )}
      </Panel>
      {state !== undefined && (
        <>
          <div className="columns halves">
            <IncomePanel address={address} />
            <ActivityPanel address={address} loans={loans} />
          </div>
          <OrdersAndAlerts address={address} loans={loans} positions={positions} act={act} />
        </>
      )}
      {(state?.withdrawTickets?.nodes.length ?? 0) > 0 && (
        <WithdrawTicketsPanel address={address} act={act} />
      )}
      <ReferralFeesPanel address={address} act={act} />
      {isAny(indebted) && <ReachPanel loans={indebted} act={act} />}
      <Panel title="Rewards and balances" secondary {...panel}>
        {(data) => <Holdings wallet={data.wallet} errors={errors} act={act} />}
      </Panel>
      {state !== undefined && (
        <div className="columns">
          <ValueHistoryPanel address={address} count={loans.length} />
          <ProfitHistoryPanel address={address} count={positions.length} />
        </div>
      )}
      <Transactions address={address} />
    </div>
  );
}

const NO_LOANS: readonly Loan[] = [];
const NO_POSITIONS: readonly VaultPosition[] = [];

const isAny = (loans: readonly Loan[]): loans is readonly [Loan, ...Loan[]] => loans.length > 0;

/** "SOL −20%, 30 days". Null while nothing is supposed. */
function supposedWords(groups: readonly TokenGroup[], supposed: Supposition): string | null {
  const parts = changedGroups(groups, supposed.changes).map(
    ({ key, lead }) => `${lead} ${signedPercent(supposed.changes[key] ?? 0)}`,
  );
  if (supposed.days > 0) parts.push(counted(supposed.days, 'day'));
  return parts.length === 0 ? null : parts.join(', ');
}

interface ManagedProps {
  readonly target: ActPanelProps;
  readonly close: () => void;
}

/** The form of a row, in place of the what-if: it comes into view when it is opened. */
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
