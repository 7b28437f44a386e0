import type { ReactNode } from 'react';
import { ActSection } from './act-section.tsx';
import type { ActTarget, Verb } from './action.ts';
import { BorrowOrderAct } from './borrow-order-act.tsx';
import type { BorrowOrderTarget } from './borrow-order-action.ts';
import { LendingAct } from './lending-act.tsx';
import { OrderAct } from './order-act.tsx';
import type { OrderTarget } from './order-action.ts';
import { PlanPanel } from './plan-panel.tsx';
import { ReferralAct, type ReferralTarget } from './referral-act.tsx';
import { RepayWithdrawAct } from './repay-withdraw-act.tsx';
import type { RepayWithdrawTarget } from './repay-withdraw-action.ts';
import { SwapAct } from './swap-act.tsx';
import type { SwapTarget } from './swap-action.ts';
import type { TasksTarget } from './tasks/task.ts';
import { TasksSection } from './tasks/tasks-section.tsx';
import { TicketAct } from './ticket-act.tsx';
import { TransferAct } from './transfer-act.tsx';
import type { TransferTarget } from './transfer-action.ts';
import { VaultAct } from './vault-act.tsx';
import { WalletChoices } from './wallet-choices.tsx';
import { useWalletChoice } from './wallet-context.tsx';
import './act.css';
import './narrow.css';

type Target =
  | ActTarget
  | OrderTarget
  | BorrowOrderTarget
  | RepayWithdrawTarget
  | SwapTarget
  | TransferTarget
  | ReferralTarget
  | TasksTarget;

export type ActPanelProps = Target & {
  /** The action to start with. Defaults to a deposit. */
  readonly verb?: Verb;
  /** Address of the loan to start with, for lending. Defaults to the wallet's general loan in the market. */
  readonly loan?: string;
  /** Amount to start with, in whole tokens or shares. */
  readonly amount?: string;
  /** Shows a button that closes the panel. */
  readonly onClose?: () => void;
};

const TITLES: Readonly<Record<Exclude<Target['kind'], 'tasks'>, string>> = {
  vault: 'Deposit or withdraw',
  lending: 'Lend or borrow',
  ticket: 'Withdraw ticket',
  order: 'Order of a loan',
  borrowOrder: 'Borrow order of a loan',
  'repay-withdraw': 'Repay and withdraw',
  swap: 'Swap a position',
  transfer: 'Transfer of a loan',
  referral: 'Referral fees',
};

/** A form for an action of the chosen wallet: amount, preview, simulation, signature and confirmation. */
export function ActPanel({
  verb = 'deposit',
  loan,
  amount = '',
  onClose,
  ...target
}: ActPanelProps): ReactNode {
  const { wallet } = useWalletChoice();
  const close = onClose !== undefined && (
    <button type="button" className="quiet" onClick={onClose}>
      Close
    </button>
  );
  if (wallet === null)
    return (
      <ActSection
        title={target.kind === 'tasks' ? target.title : TITLES[target.kind]}
        label="Act"
        controls={close}
      >
        <p>Choose a wallet to act with.</p>
        <WalletChoices />
      </ActSection>
    );
  const shared = { wallet, verb, controls: close };
  return (
    <>
      {target.kind === 'vault' && (
        <VaultAct key={wallet.address} {...shared} target={target} amount={amount} />
      )}
      {target.kind === 'lending' && (
        <LendingAct key={wallet.address} {...shared} target={target} loan={loan ?? null} amount={amount} />
      )}
      {target.kind === 'order' && (
        <OrderAct key={wallet.address} wallet={wallet} target={target} controls={close} />
      )}
      {target.kind === 'borrowOrder' && (
        <BorrowOrderAct key={wallet.address} wallet={wallet} target={target} controls={close} />
      )}
      {target.kind === 'repay-withdraw' && (
        <RepayWithdrawAct
          key={`${wallet.address} ${target.obligation}`}
          wallet={wallet}
          target={target}
          controls={close}
        />
      )}
      {target.kind === 'swap' && (
        <SwapAct key={wallet.address} wallet={wallet} target={target} controls={close} />
      )}
      {target.kind === 'transfer' && (
        <TransferAct key={wallet.address} wallet={wallet} target={target} controls={close} />
      )}
      {target.kind === 'referral' && <ReferralAct key={wallet.address} wallet={wallet} controls={close} />}
      {target.kind === 'tasks' && <TasksSection target={target} controls={close} />}
      {target.kind === 'ticket' && <TicketAct key={wallet.address} {...shared} target={target} />}
      <PlanPanel key={`plan of ${wallet.address}`} wallet={wallet} />
    </>
  );
}
