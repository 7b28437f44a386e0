import { useAction } from '@sluice/client/react';
import { type ReactNode, useState } from 'react';
import { tokens } from '../format/numbers.ts';
import { useGatewayStatus } from '../shell/status.ts';
import { Failure } from '../ui/states.tsx';
import { ActDone } from './act-done.tsx';
import { ActCosts, ActEffect } from './act-effect.tsx';
import { type Step, Steps, stepsOf, stepsTitle } from './act-steps.tsx';
import { type Deed, NOUNS, saidAfter, type VaultYield, type Words } from './act-words.ts';
import { type ActTarget, actionOf, takesAmount, VERB_NAMES, type Verb, verbsOf } from './action.ts';
import { typedAmount } from './amount.ts';
import { AmountField } from './amount-field.tsx';
import { useExplained } from './explained.ts';
import type { ActUnit, Maximum } from './maximum.ts';
import { Failed } from './outcome.tsx';
import { NOTHING_REACHED, useReached, wasSent } from './outcome-words.ts';
import { MOST_STEPS } from './plan.ts';
import { usePlanChoice } from './plan-context.tsx';
import { progressText } from './run-state.tsx';
import { useSending } from './use-sending.ts';
import { VerbChoice } from './verb-choice.tsx';
import type { ActWallet } from './wallet-context.tsx';

/** Facts of the vault that the sentences need besides the preview. */
export interface VaultTerms {
  readonly yield: VaultYield | null;
  readonly hasFarm: boolean;
  /** Symbol of its shares. */
  readonly shares: string;
  /** Null when it takes nothing, or is unknown. */
  readonly penaltyBps: number | null;
}

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
  readonly terms?: VaultTerms;
}

/** The action that was signed: by the time it lands, the form is empty again. */
interface Signed {
  readonly said: Words;
  readonly steps: readonly Step[];
}

/** Prices and rates move while the user thinks. */
const PREVIEW_MS = 10_000;

export function ActForm(props: ActFormProps): ReactNode {
  const { target, wallet, loan, symbol, unitOf, maximumOf, terms } = props;
  const plan = usePlanChoice();
  const { connection } = useGatewayStatus();
  const [verb, setVerb] = useState(props.verb);
  const [text, setText] = useState(props.amount);
  /** The maximum was chosen, and the program takes everything at execution. */
  const [whole, setWhole] = useState(false);
  const [signed, setSigned] = useState<Signed | null>(null);

  const unit = unitOf(verb);
  const maximum = maximumOf(verb);
  const all = whole && maximum.all && maximum.amount !== null;
  const written = all && maximum.amount !== null ? maximum.amount.toString() : text;
  const typed = typedAmount(written, unit.decimals, unit.symbol);
  const amount = all || !takesAmount(verb) ? 'all' : typed.kind === 'amount' ? typed.amount.toString() : null;
  const action = amount === null ? null : actionOf({ target, verb, wallet: wallet.address, loan, amount });
  const { preview, run, isRunning, start, reset } = useAction(action, { refetchMs: PREVIEW_MS });
  const { send, problem, forget } = useSending(wallet, start);
  const reached = useReached(run);
  const refused = preview.preview?.warnings.find(({ level }) => level === 'ERROR') ?? null;
  // A refused action cannot be simulated, and one that is being signed must not be built again.
  const simulates = preview.status === 'ready' && refused === null && run.step === 'idle';
  const simulation = useExplained(simulates ? action : null);
  const explained = simulation.isOld ? null : simulation.explained;

  const amountText = typed.kind === 'amount' ? tokens(typed.amount, unit.symbol).text : null;
  const [position = null] = explained?.transactions[0].effects?.vaultPositions ?? [];
  const deed: Deed = {
    verb,
    amount: takesAmount(verb) && typed.kind === 'amount' ? typed.amount : null,
    unit: unit.symbol,
    symbol,
    vault:
      terms === undefined
        ? null
        : {
            shares: preview.preview?.shares ?? null,
            tokens: preview.preview?.tokens ?? null,
            yield: terms.yield,
            hasFarm: terms.hasFarm,
            position,
          },
    health: preview.preview?.healthFactor ?? null,
  };
  const steps = explained === null ? [] : stepsOf(explained, amountText);
  const name =
    takesAmount(verb) && amountText !== null ? `${VERB_NAMES[verb]} ${amountText}` : VERB_NAMES[verb];
  const isLost = connection.tone === 'broken';
  const isBlocked = preview.status !== 'ready' || refused !== null || isLost;

  const clear = () => {
    setText('');
    setWhole(false);
    forget();
    reset();
  };
  const sign = () => {
    if (isBlocked || isRunning) return;
    setSigned({ said: saidAfter(deed), steps: run.step === 'failed' ? (signed?.steps ?? []) : steps });
    void send();
  };
  const addToPlan = () => {
    if (action === null || amount === null) return;
    const what = takesAmount(verb) ? unit.symbol : `of the ticket in ${symbol}`;
    plan.add({ action, verb, symbol, amount: `${amount} ${what}` });
    clear();
  };

  if (run.step === 'succeeded')
    return (
      <ActDone run={run} said={signed?.said ?? []} steps={signed?.steps ?? []} verb={verb} onAgain={clear} />
    );
  const failed = run.step === 'failed' ? run.error : problem;
  return (
    <form
      className="act-form"
      onSubmit={(event) => {
        event.preventDefault();
        sign();
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
          mark={unit.symbol === symbol ? symbol : undefined}
          maximum={maximum}
          text={written}
          typed={typed}
          disabled={isRunning}
          onChange={(next, isMaximum) => {
            setText(next);
            setWhole(isMaximum);
            // The failure was about another amount.
            if (run.step === 'failed') reset();
            forget();
          }}
        />
      )}
      {failed !== null ? (
        <Failed
          error={failed}
          what={NOUNS[verb]}
          reached={run.step === 'failed' ? reached : NOTHING_REACHED}
          again={sign}
        >
          <Steps
            steps={signed?.steps ?? []}
            stateOf={({ transaction }) =>
              transaction < reached.confirmed
                ? 'done'
                : wasSent(failed) && transaction === reached.confirmed
                  ? 'undone'
                  : 'not sent'
            }
          />
        </Failed>
      ) : (
        <>
          <ActEffect state={preview} deed={deed} simulation={simulation} missing={maximum.because} />
          {steps.length > 0 && (
            <div>
              <p className="sub">{stepsTitle(steps)}</p>
              <Steps steps={steps} stateOf={() => 'ahead'} />
            </div>
          )}
          <div className="act-send">
            <button type="submit" className="primary" disabled={isBlocked || isRunning}>
              {isLost
                ? `${VERB_NAMES[verb]}: waits for the gateway`
                : isRunning && run.step !== 'idle' && run.step !== 'failed'
                  ? progressText(run)
                  : name}
            </button>
            {refused !== null && (
              <p className="problem" role="alert">
                Not possible: {refused.message}
              </p>
            )}
            {isRunning && 'of' in run && run.of > 1 && (
              <output className="sub">
                Transaction {run.number} of {run.of}
              </output>
            )}
          </div>
          {preview.status === 'failed' && <Failure error={preview.error} />}
          <ActCosts state={preview} deed={deed} simulation={simulation} terms={terms} />
        </>
      )}
      <p className="row act-more">
        <span className="sub">Signs with {wallet.name}</span>
        {isRunning ? (
          <button type="button" className="quiet" onClick={reset}>
            Stop
          </button>
        ) : (
          <button
            type="button"
            className="quiet"
            disabled={action === null || plan.items.length >= MOST_STEPS}
            onClick={addToPlan}
          >
            Add to plan
          </button>
        )}
      </p>
    </form>
  );
}
