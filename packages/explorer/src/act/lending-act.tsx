import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useId, useState } from 'react';
import { shortAddress } from '../format/address.ts';
import { Panel } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';
import { LENDING_LIMITS, type LimitedLoan } from './act-documents.ts';
import { ActForm } from './act-form.tsx';
import type { ActTarget, Verb } from './action.ts';
import { purposeOf } from './loan-purpose.ts';
import { lendingMaximum } from './maximum.ts';
import { LIMITS_MS } from './vault-act.tsx';
import type { ActWallet } from './wallet-context.tsx';

export interface LendingActProps {
  readonly target: Extract<ActTarget, { kind: 'lending' }>;
  readonly wallet: ActWallet;
  readonly verb: Verb;
  /** Amount to start with. Empty for none. */
  readonly amount: string;
  /** Address of the loan to start with. Null: the general one. */
  readonly loan: string | null;
  readonly controls: ReactNode;
}

export function LendingAct({ target, wallet, verb, loan, amount, controls }: LendingActProps): ReactNode {
  const variables = { wallet: wallet.address, market: target.market, reserve: target.reserve };
  const result = useSluiceQuery(LENDING_LIMITS, variables, { refetchMs: LIMITS_MS });
  const [chosen, choose] = useState(loan);
  return (
    <Panel
      title="Lend or borrow"
      document={LENDING_LIMITS}
      variables={variables}
      result={result}
      controls={controls}
    >
      {(limits) => {
        const { reserve } = limits;
        if (reserve === null) return <Empty>The reserve cannot be read.</Empty>;
        const loans = limits.wallet.loans?.nodes ?? [];
        const used = loans.find(({ address }) => address === chosen) ?? generalLoan(loans);
        return (
          <>
            <LoanChoice loans={loans} used={used} choose={choose} />
            <ActForm
              target={target}
              wallet={wallet}
              verb={verb}
              amount={amount}
              loan={used?.address ?? null}
              symbol={reserve.token.symbol}
              unitOf={() => reserve.token}
              maximumOf={(action) => lendingMaximum(limits, action, used)}
            />
          </>
        );
      }}
    </Panel>
  );
}

/** Null when the wallet has none yet: a deposit creates it. */
const generalLoan = (loans: readonly LimitedLoan[]): LimitedLoan | null =>
  loans.find(({ tag }) => tag === 'VANILLA') ?? null;

interface LoanChoiceProps {
  readonly loans: readonly LimitedLoan[];
  readonly used: LimitedLoan | null;
  readonly choose: (address: string | null) => void;
}

function LoanChoice({ loans, used, choose }: LoanChoiceProps): ReactNode {
  const id = useId();
  if (loans.length === 0) return <p className="muted">A deposit opens a new loan in this market.</p>;
  return (
    <p className="field">
      <label htmlFor={id}>Loan</label>
      <select
        id={id}
        value={used?.address ?? ''}
        onChange={({ target }) => choose(target.value === '' ? null : target.value)}
      >
        {generalLoan(loans) === null && <option value="">New general loan</option>}
        {loans.map((loan) => (
          <option key={loan.address} value={loan.address}>
            {purposeOf(loan)} {shortAddress(loan.address)}
          </option>
        ))}
      </select>
    </p>
  );
}
