import type { ReactNode } from 'react';

export type ActBarVerb = 'deposit' | 'withdraw';

/** Where the form is far below: buttons that stay at the lower edge and lead to it. */
export function ActBar({ onAct }: { readonly onAct: (verb: ActBarVerb) => void }): ReactNode {
  return (
    <section className="act-bar" aria-label="Go to the form">
      <button type="button" onClick={() => onAct('withdraw')}>
        Withdraw
      </button>
      <button type="button" className="primary" onClick={() => onAct('deposit')}>
        Deposit
      </button>
    </section>
  );
}
