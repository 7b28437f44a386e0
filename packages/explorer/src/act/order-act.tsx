import { type ReactNode, useId, useState } from 'react';
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
    <section className="panel act" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {controls}
      </header>
      <div className="content">
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
      </div>
    </section>
  );
}

interface OrderFieldsProps {
  readonly typed: TypedOrder;
  readonly debtSymbol: string | null;
  readonly onChange: (typed: TypedOrder) => void;
}

function OrderFields({ typed, debtSymbol, onChange }: OrderFieldsProps): ReactNode {
  const condition = useId();
  const change = (fields: Partial<TypedOrder>) => onChange({ ...typed, ...fields });
  return (
    <>
      <div className="amount">
        <label htmlFor={condition}>When</label>
        <select
          id={condition}
          value={typed.condition}
          onChange={({ target }) => change({ condition: target.value as Watched })}
        >
          {Object.entries(WATCHED).map(([key, { name }]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </div>
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
