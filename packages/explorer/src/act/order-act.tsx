import { type ReactNode, useState } from 'react';
import { ActSection } from './act-section.tsx';
import {
  cancelOrderOf,
  NEW_ORDER,
  type OrderTarget,
  setOrderOf,
  type TypedOrder,
  WATCHED,
  type Watched,
} from './order-action.ts';
import { OrderForm } from './order-form.tsx';
import { SelectField } from './select-field.tsx';
import { TextField } from './text-field.tsx';
import type { ActWallet } from './wallet-context.tsx';

interface OrderActProps {
  readonly target: OrderTarget;
  readonly wallet: ActWallet;
  readonly controls: ReactNode;
}

/** Sets a stop-loss or take-profit order of a loan, or cancels one. */
export function OrderAct({ target, wallet, controls }: OrderActProps): ReactNode {
  const [typed, setTyped] = useState(NEW_ORDER);
  const action =
    target.cancelled === null
      ? setOrderOf(target, wallet.address, typed)
      : cancelOrderOf(target, wallet.address, target.cancelled);
  const title = target.cancelled === null ? 'Set an order' : `Cancel order ${target.cancelled}`;
  return (
    <ActSection title={title} controls={controls}>
      <OrderForm
        action={action}
        wallet={wallet}
        name={title}
        missing="Enter a threshold to see what triggers it."
      >
        {target.cancelled === null && (
          <OrderFields typed={typed} debtSymbol={target.debtSymbol} onChange={setTyped} />
        )}
      </OrderForm>
    </ActSection>
  );
}

const CONDITIONS = (Object.keys(WATCHED) as Watched[]).map((key) => [key, WATCHED[key].name] as const);

interface OrderFieldsProps {
  readonly typed: TypedOrder;
  readonly debtSymbol: string | null;
  readonly onChange: (typed: TypedOrder) => void;
}

function OrderFields({ typed, debtSymbol, onChange }: OrderFieldsProps): ReactNode {
  const change = (fields: Partial<TypedOrder>) => onChange({ ...typed, ...fields });
  return (
    <>
      <SelectField
        label="When"
        value={typed.condition}
        options={CONDITIONS}
        onChange={(condition) => change({ condition })}
      />
      <TextField
        label={WATCHED[typed.condition].isPercent ? 'Threshold in percent' : 'Threshold'}
        value={typed.threshold}
        onChange={(threshold) => change({ threshold })}
      />
      {debtSymbol !== null && (
        <TextField
          label={`Repay at most, in ${debtSymbol} (empty for all)`}
          value={typed.amount}
          onChange={(amount) => change({ amount })}
        />
      )}
      <TextField
        label="Bonus at the threshold, in percent"
        value={typed.minBonus}
        onChange={(minBonus) => change({ minBonus })}
      />
      <TextField
        label="Largest bonus, in percent"
        value={typed.maxBonus}
        onChange={(maxBonus) => change({ maxBonus })}
      />
    </>
  );
}
