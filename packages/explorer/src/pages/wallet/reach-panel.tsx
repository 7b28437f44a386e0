import type { SluiceError } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useId, useState } from 'react';
import { VERB_NAMES } from '../../act/action.ts';
import { shortAddress } from '../../format/address.ts';
import { absence } from '../../ui/absence.ts';
import { Choice } from '../../ui/choice.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Health } from '../../ui/health.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { Absent, Tokens, Usd } from '../../ui/value.tsx';
import { LoanSelect } from './loan-select.tsx';
import { HEALTH_VERBS, reserveOptions, TARGET_LIMITS, typedHealth } from './reach.ts';
import { type HealthAction, type HealthTarget, REACH_HEALTH } from './reach-documents.ts';
import type { ActingProps } from './vault-positions.tsx';
import type { Loan } from './wallet-documents.ts';

export interface LoanPanelProps {
  /** Loans with debt. At least one. */
  readonly loans: readonly [Loan, ...Loan[]];
  readonly act: ActingProps['act'];
}

/** A usual target. */
const USUAL = '2';

const WAYS: readonly (readonly [HealthAction, string])[] = [
  ['REPAY', 'Repay'],
  ['DEPOSIT', 'Deposit'],
  ['WITHDRAW', 'Withdraw'],
];

/** The amount that brings a loan to a health factor, with the form that acts on it. */
export function ReachPanel({ loans, act }: LoanPanelProps): ReactNode {
  const [address, choose] = useState(loans[0].address);
  const loan = loans.find((each) => each.address === address) ?? loans[0];
  const [by, setBy] = useState<HealthAction>('REPAY');
  const [chosen, chooseReserve] = useState('');
  const [text, setText] = useState(USUAL);
  const options = reserveOptions(loan, by);
  const reserve = options.find((option) => option.reserve === chosen)?.reserve ?? options[0]?.reserve ?? '';
  const typed = typedHealth(text);
  const healthFactor = useSettled(typed ?? USUAL);
  const variables = { loan: loan.address, by, healthFactor, reserve };
  const result = useSluiceQuery(REACH_HEALTH, variables, { enabled: reserve !== '', refetchMs: 30_000 });
  const errors = result.data?.errors ?? [];
  const [targetId, reserveId, mistakeId] = [useId(), useId(), useId()];
  const marketAddress = [...loan.borrows, ...loan.deposits].find(
    ({ reserveAddress }) => reserveAddress === reserve,
  )?.reserve?.marketAddress;
  return (
    <Panel title="Reach a health" document={REACH_HEALTH} variables={variables} result={result}>
      {({ obligation }) => (
        <>
          <LoanSelect loans={loans} value={loan.address} onChange={choose} />
          <div className="supposed">
            <Choice label="By" options={WAYS} value={by} onChange={setBy} />
            <p className="field">
              <label htmlFor={reserveId}>Token</label>
              <select
                id={reserveId}
                value={reserve}
                onChange={({ target }) => chooseReserve(target.value)}
                disabled={options.length === 0}
              >
                {options.map((option) => (
                  <option key={option.reserve} value={option.reserve}>
                    {option.symbol ?? shortAddress(option.reserve)}
                  </option>
                ))}
              </select>
            </p>
            <p className="field">
              <label htmlFor={targetId}>Health factor</label>
              <input
                id={targetId}
                inputMode="decimal"
                autoComplete="off"
                size={6}
                value={text}
                onChange={({ target }) => setText(target.value)}
                aria-invalid={typed === null}
                aria-describedby={mistakeId}
              />
            </p>
          </div>
          <p id={mistakeId} className="problem" aria-live="polite">
            {typed === null && 'Write a number above 0, such as 1.5.'}
          </p>
          {obligation === null ? (
            <Empty>The loan does not exist any more.</Empty>
          ) : (
            <Outcome
              by={by}
              present={obligation.present}
              target={obligation.toReach}
              errors={errors}
              act={
                act === null || marketAddress === undefined
                  ? null
                  : (amount) =>
                      act({
                        kind: 'lending',
                        market: marketAddress,
                        reserve,
                        loan: loan.address,
                        verb: HEALTH_VERBS[by],
                        amount,
                      })
              }
            />
          )}
        </>
      )}
    </Panel>
  );
}

interface OutcomeProps {
  readonly by: HealthAction;
  /** Health factor now. Null when a value is unknown. */
  readonly present: string | null;
  readonly target: HealthTarget | null;
  readonly errors: readonly SluiceError[];
  /** Opens the form with an amount. Null when another wallet is shown. */
  readonly act: ((amount: string) => void) | null;
}

function Outcome({ by, present, target, errors, act }: OutcomeProps): ReactNode {
  const verb = VERB_NAMES[HEALTH_VERBS[by]];
  if (target === null)
    return <Empty>{absence(errors, ['obligation', 'toReach'], 'The amount cannot be computed.')}</Empty>;
  const { amount, healthFactor, limit } = target;
  const why = limit === null ? 'Unknown' : TARGET_LIMITS[limit];
  return (
    <>
      <Figures>
        <Figure
          name={`${verb} exactly`}
          hint="At the prices of this moment. Interest and prices move until the transaction"
          detail={amount === null ? why : <Usd value={amount.usd} absent="No price is known." />}
        >
          {amount === null ? (
            <Absent why={why} />
          ) : (
            <Tokens value={amount.amount} symbol={amount.token.symbol} />
          )}
        </Figure>
        <Figure name="Health now">
          <Health factor={present} absent="A price or a reserve that it depends on is unknown." />
        </Figure>
        <Figure name="Health after">
          <Health factor={healthFactor} absent={amount === null ? why : 'No debt remains'} />
        </Figure>
      </Figures>
      {amount !== null && limit !== null && <p className="muted">{why}</p>}
      {amount !== null && act !== null && (
        <p>
          <button type="button" onClick={() => act(amount.amount)}>
            {verb} this amount
          </button>
        </p>
      )}
    </>
  );
}
