import type { ActionPreview } from '@sluice/client';
import type { PreviewState } from '@sluice/client/react';
import { type ReactNode, useId, useState } from 'react';
import { shortAddress } from '../ui/address.tsx';
import { Failure } from '../ui/states.tsx';
import { Value } from '../ui/value.tsx';
import { ActionForm } from './action-form.tsx';
import { Effects, Warnings } from './effects.tsx';
import { type PositionOption, type RepayWithdrawTarget, repayWithdrawOf } from './repay-withdraw-action.ts';
import { TextField } from './text-field.tsx';
import type { ActWallet } from './wallet-context.tsx';

interface RepayWithdrawActProps {
  readonly target: RepayWithdrawTarget;
  readonly wallet: ActWallet;
  readonly controls: ReactNode;
}

const TITLE = 'Repay and withdraw';

/** Repays a debt and withdraws a deposit of a loan at once, also above its maximum loan-to-value. */
export function RepayWithdrawAct({ target, wallet, controls }: RepayWithdrawActProps): ReactNode {
  const { debts, deposits } = target;
  const [typed, setTyped] = useState({
    debt: debts[0].reserve,
    repay: '',
    deposit: deposits[0].reserve,
    withdraw: '',
  });
  const change = (fields: Partial<typeof typed>) => setTyped({ ...typed, ...fields });
  return (
    <section className="panel act" aria-label={TITLE}>
      <header>
        <h2>{TITLE}</h2>
        {controls}
      </header>
      <div className="content">
        <ActionForm
          action={repayWithdrawOf(target, wallet.address, typed)}
          wallet={wallet}
          name={TITLE}
          previewed={(state) => <RepayWithdrawPreview state={state} />}
        >
          <Position label="Debt" options={debts} value={typed.debt} onChange={(debt) => change({ debt })} />
          <TextField
            label="Repay (all for the whole debt)"
            value={typed.repay}
            onChange={(repay) => change({ repay })}
          />
          <Position
            label="Deposit"
            options={deposits}
            value={typed.deposit}
            onChange={(deposit) => change({ deposit })}
          />
          <TextField
            label="Withdraw (all for the whole deposit)"
            value={typed.withdraw}
            onChange={(withdraw) => change({ withdraw })}
          />
        </ActionForm>
      </div>
    </section>
  );
}

interface PositionProps {
  readonly label: string;
  readonly options: readonly PositionOption[];
  readonly value: string;
  readonly onChange: (reserve: string) => void;
}

function Position({ label, options, value, onChange }: PositionProps): ReactNode {
  const select = useId();
  return (
    <div className="amount">
      <label htmlFor={select}>{label}</label>
      <select id={select} value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(({ reserve, symbol }) => (
          <option key={reserve} value={reserve}>
            {symbol ?? shortAddress(reserve)}
          </option>
        ))}
      </select>
    </div>
  );
}

function RepayWithdrawPreview({ state }: { readonly state: PreviewState }): ReactNode {
  const { preview } = state;
  if (state.status === 'none') return <p className="muted">Enter both amounts to see what they change.</p>;
  return (
    <section className="preview" aria-label="Preview" aria-busy={state.status === 'pending'}>
      {state.status === 'failed' && <Failure error={state.error} />}
      {preview !== null && (
        <div className={state.status === 'ready' ? undefined : 'outdated'}>
          <Effects preview={preview} verb="repay" symbol="" />
          <Gains changes={preview.walletChanges} />
          <Warnings warnings={preview.warnings} />
        </div>
      )}
    </section>
  );
}

function Gains({ changes }: { readonly changes: ActionPreview['walletChanges'] }): ReactNode {
  return (
    <ul>
      {changes.map(({ amount, token }, i) => (
        <li key={`${token.mint} ${i === 0 ? 'paid' : 'received'}`}>
          Wallet: <Value value={amount} unit={token.symbol} places={9} signed />
        </li>
      ))}
    </ul>
  );
}
