import type { ActionPreview } from '@sluice/client';
import { type ReactNode, useState } from 'react';
import { shortAddress } from '../format/address.ts';
import { Tokens } from '../ui/value.tsx';
import { ActSection } from './act-section.tsx';
import { ActionForm } from './action-form.tsx';
import { Effects } from './effects.tsx';
import { PreviewSection } from './preview-section.tsx';
import { type PositionOption, type RepayWithdrawTarget, repayWithdrawOf } from './repay-withdraw-action.ts';
import { SelectField } from './select-field.tsx';
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
    <ActSection title={TITLE} controls={controls}>
      <ActionForm
        action={repayWithdrawOf(target, wallet.address, typed)}
        wallet={wallet}
        name={TITLE}
        previewed={(state) => (
          <PreviewSection state={state} missing="Enter both amounts to see what they change.">
            {(preview) => (
              <>
                <Effects preview={preview} verb="repay" symbol="" />
                <Gains changes={preview.walletChanges} />
              </>
            )}
          </PreviewSection>
        )}
      >
        <SelectField
          label="Debt"
          options={optionsOf(debts)}
          value={typed.debt}
          onChange={(debt) => change({ debt })}
        />
        <TextField
          label="Repay (all for the whole debt)"
          value={typed.repay}
          onChange={(repay) => change({ repay })}
        />
        <SelectField
          label="Deposit"
          options={optionsOf(deposits)}
          value={typed.deposit}
          onChange={(deposit) => change({ deposit })}
        />
        <TextField
          label="Withdraw (all for the whole deposit)"
          value={typed.withdraw}
          onChange={(withdraw) => change({ withdraw })}
        />
      </ActionForm>
    </ActSection>
  );
}

const optionsOf = (positions: readonly PositionOption[]) =>
  positions.map(({ reserve, symbol }) => [reserve, symbol ?? shortAddress(reserve)] as const);

function Gains({ changes }: { readonly changes: ActionPreview['walletChanges'] }): ReactNode {
  return (
    <ul>
      {changes.map(({ amount, token }, i) => (
        <li key={`${token.mint} ${i === 0 ? 'paid' : 'received'}`}>
          Wallet: <Tokens value={amount} symbol={token.symbol} signed />
        </li>
      ))}
    </ul>
  );
}
