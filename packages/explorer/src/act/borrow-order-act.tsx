import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useId, useState } from 'react';
import { LENT_TOKENS } from './act-documents.ts';
import { ActSection } from './act-section.tsx';
import {
  type BorrowOrderTarget,
  cancelBorrowOrderOf,
  NEW_BORROW_ORDER,
  setBorrowOrderOf,
  type TypedBorrowOrder,
} from './borrow-order-action.ts';
import { OrderForm } from './order-form.tsx';
import { SelectField } from './select-field.tsx';
import { TextField } from './text-field.tsx';
import type { ActWallet } from './wallet-context.tsx';

interface BorrowOrderActProps {
  readonly target: BorrowOrderTarget;
  readonly wallet: ActWallet;
  readonly controls: ReactNode;
}

/** Places an order to borrow a token on given terms, or cancels one. */
export function BorrowOrderAct({ target, wallet, controls }: BorrowOrderActProps): ReactNode {
  const [typed, setTyped] = useState(NEW_BORROW_ORDER);
  const { cancelled } = target;
  const action =
    cancelled === null
      ? setBorrowOrderOf(target, wallet.address, typed)
      : cancelBorrowOrderOf(target, wallet.address, cancelled);
  const title = cancelled === null ? 'Place a borrow order' : `Cancel borrow order ${cancelled}`;
  return (
    <ActSection title={title} controls={controls}>
      <OrderForm
        action={action}
        wallet={wallet}
        name={title}
        missing="Choose a token and enter amount, rate and date."
      >
        {cancelled === null && <BorrowOrderFields market={target.market} typed={typed} onChange={setTyped} />}
      </OrderForm>
    </ActSection>
  );
}

interface BorrowOrderFieldsProps {
  readonly market: string;
  readonly typed: TypedBorrowOrder;
  readonly onChange: (typed: TypedBorrowOrder) => void;
}

function BorrowOrderFields({ market, typed, onChange }: BorrowOrderFieldsProps): ReactNode {
  const ids = { until: useId(), rollover: useId() };
  const { data } = useSluiceQuery(LENT_TOKENS, { market });
  const tokens = new Map(data?.data.market?.lending.map(({ token }) => [token.mint, token.symbol]));
  const change = (fields: Partial<TypedBorrowOrder>) => onChange({ ...typed, ...fields });
  return (
    <>
      <SelectField
        label="Token"
        value={typed.mint}
        options={[['', 'Choose a token'], ...tokens]}
        onChange={(mint) => change({ mint })}
      />
      <TextField label="Amount to borrow" value={typed.amount} onChange={(amount) => change({ amount })} />
      <TextField
        label="Highest rate of the reserve, in percent a year"
        value={typed.maxRate}
        onChange={(maxRate) => change({ maxRate })}
      />
      <TextField
        label="Shortest term in days (empty: without a term only)"
        value={typed.minDays}
        onChange={(minDays) => change({ minDays })}
      />
      <div className="amount">
        <label htmlFor={ids.until}>Fillable until the end of</label>
        <input
          id={ids.until}
          type="date"
          value={typed.until}
          onChange={({ target }) => change({ until: target.value })}
        />
      </div>
      <div className="row">
        <input
          id={ids.rollover}
          type="checkbox"
          checked={typed.rollsOver}
          onChange={({ target }) => change({ rollsOver: target.checked })}
        />
        <label htmlFor={ids.rollover}>Roll the debt over at the end of its term</label>
      </div>
    </>
  );
}
