import { useAction } from '@sluice/client/react';
import { type ReactNode, useId, useState } from 'react';
import { type ActTarget, actionOf, takesAmount, VERB_NAMES, type Verb, verbsOf } from './action.ts';
import { typedAmount } from './amount.ts';
import { AmountField } from './amount-field.tsx';
import type { ActUnit, Maximum } from './maximum.ts';
import { MOST_STEPS } from './plan.ts';
import { usePlanChoice } from './plan-context.tsx';
import { PreviewPart } from './preview-part.tsx';
import { RunProgress, RunState } from './run-state.tsx';
import { SimulationPart, useSimulation } from './simulation.tsx';
import { useSending } from './use-sending.ts';
import type { ActWallet } from './wallet-context.tsx';

export interface ActFormProps {
  readonly target: ActTarget;
  readonly wallet: ActWallet;
  /** The action to start with. */
  readonly verb: Verb;
  /** Amount to start with. Empty for none. */
  readonly amount: string;
  /** Address of the loan. Null for a vault or a ticket, and for a loan that a deposit creates. */
  readonly loan: string | null;
  /** The token of the vault or reserve. */
  readonly symbol: string;
  readonly unitOf: (verb: Verb) => ActUnit;
  readonly maximumOf: (verb: Verb) => Maximum;
}

/** Prices and rates move while the user thinks. */
const PREVIEW_MS = 10_000;

export function ActForm(props: ActFormProps): ReactNode {
  const { target, wallet, loan, symbol, unitOf, maximumOf } = props;
  const plan = usePlanChoice();
  const [verb, setVerb] = useState(props.verb);
  const [text, setText] = useState(props.amount);
  /** The maximum was chosen, and the program takes everything at execution. */
  const [whole, setWhole] = useState(false);

  const unit = unitOf(verb);
  const maximum = maximumOf(verb);
  const all = whole && maximum.all && maximum.amount !== null;
  const typed = typedAmount(
    all && maximum.amount !== null ? maximum.amount.toString() : text,
    unit.decimals,
    unit.symbol,
  );
  const given = { target, verb, wallet: wallet.address, loan };
  const amount = all || !takesAmount(verb) ? 'all' : typed.kind === 'amount' ? typed.amount.toString() : null;
  const action = amount === null ? null : actionOf({ ...given, amount });
  const { preview, run, isRunning, start, reset } = useAction(action, { refetchMs: PREVIEW_MS });
  const { send, problem, forget } = useSending(wallet, start);
  const simulation = useSimulation(action);
  const blocked =
    preview.status !== 'ready' || preview.preview.warnings.some(({ level }) => level === 'ERROR');

  const clear = () => {
    setText('');
    setWhole(false);
    forget();
    reset();
  };
  const addToPlan = () => {
    if (action === null || amount === null) return;
    const what = takesAmount(verb) ? unit.symbol : `of the ticket in ${symbol}`;
    plan.add({ action, verb, symbol, amount: `${amount} ${what}` });
    clear();
  };

  if (run.step === 'succeeded')
    return (
      <RunState run={run}>
        <button type="button" className="primary" onClick={clear}>
          Act again
        </button>
      </RunState>
    );
  return (
    <form
      className="act-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!blocked && !isRunning) void send();
      }}
    >
      <VerbChoice
        verbs={verbsOf(target)}
        value={verb}
        disabled={isRunning}
        onChange={(next) => {
          setVerb(next);
          clear();
        }}
      />
      {takesAmount(verb) && (
        <AmountField
          unit={unit}
          maximum={maximum}
          text={all && maximum.amount !== null ? maximum.amount.toString() : text}
          typed={typed}
          disabled={isRunning}
          onChange={(next, isMaximum) => {
            setText(next);
            setWhole(isMaximum);
          }}
        />
      )}
      <PreviewPart state={preview} action={action} verb={verb} symbol={symbol} />
      <SimulationPart simulation={simulation} />
      <div className="row">
        <button
          type="button"
          disabled={action === null || isRunning || simulation.isRunning}
          onClick={() => void simulation.start()}
        >
          {simulation.isRunning ? 'Simulating…' : 'Simulate'}
        </button>
        <button type="submit" className="primary" disabled={blocked || isRunning}>
          {VERB_NAMES[verb]}
        </button>
        <button
          type="button"
          disabled={action === null || isRunning || plan.items.length >= MOST_STEPS}
          onClick={addToPlan}
        >
          Add to plan
        </button>
        <small className="muted">Signs with {wallet.name}</small>
      </div>
      <RunProgress run={run} isRunning={isRunning} problem={problem} onStop={reset} />
    </form>
  );
}

interface VerbChoiceProps {
  readonly verbs: readonly Verb[];
  readonly value: Verb;
  readonly disabled: boolean;
  readonly onChange: (verb: Verb) => void;
}

function VerbChoice({ verbs, value, disabled, onChange }: VerbChoiceProps): ReactNode {
  const name = useId();
  return (
    <fieldset className="segments verbs" disabled={disabled}>
      <legend className="visually-hidden">Action</legend>
      {verbs.map((verb) => (
        <label key={verb}>
          <input
            type="radio"
            name={name}
            value={verb}
            checked={verb === value}
            onChange={() => onChange(verb)}
          />
          <span>{VERB_NAMES[verb]}</span>
        </label>
      ))}
    </fieldset>
  );
}
