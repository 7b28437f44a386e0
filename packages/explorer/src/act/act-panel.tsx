import type { ReactNode } from 'react';
import type { ActTarget, Verb } from './action.ts';
import { LendingAct } from './lending-act.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { VaultAct } from './vault-act.tsx';
import { WalletChoices } from './wallet-choices.tsx';
import { useWalletChoice } from './wallet-context.tsx';
import './act.css';

export type ActPanelProps = ActTarget & {
  /** The action to start with. Defaults to a deposit. */
  readonly verb?: Verb;
  /** Address of the loan to start with, for lending. Defaults to the wallet's general loan in the market. */
  readonly loan?: string;
  /** Amount to start with, in whole tokens or shares. */
  readonly amount?: string;
  /** Shows a button that closes the panel. */
  readonly onClose?: () => void;
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
      <section className="panel act" aria-label="Act">
        <header>
          <h2>{target.kind === 'vault' ? 'Deposit or withdraw' : 'Lend or borrow'}</h2>
          {close}
        </header>
        <div className="content">
          <p>Choose a wallet to act with.</p>
          <WalletChoices />
        </div>
      </section>
    );
  const form =
    target.kind === 'vault' ? (
      <VaultAct
        key={wallet.address}
        target={target}
        wallet={wallet}
        verb={verb}
        amount={amount}
        controls={close}
      />
    ) : (
      <LendingAct
        key={wallet.address}
        target={target}
        wallet={wallet}
        verb={verb}
        loan={loan ?? null}
        amount={amount}
        controls={close}
      />
    );
  return (
    <>
      {form}
      <PlanPanel key={`plan of ${wallet.address}`} wallet={wallet} />
    </>
  );
}
