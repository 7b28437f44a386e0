import { PREVIEW_PLAN, type ResultOf } from '@sluice/client';
import { usePlan, useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { VERB_NAMES } from './action.ts';
import { Effects, Warnings } from './effects.tsx';
import { MOST_STEPS, type PlanItem } from './plan.ts';
import { usePlanChoice } from './plan-context.tsx';
import { RunProgress, RunState } from './run-state.tsx';
import { useSending } from './use-sending.ts';
import type { ActWallet } from './wallet-context.tsx';

/** Prices and rates move while the user thinks. */
const PREVIEW_MS = 15_000;

type Built = ResultOf<typeof PREVIEW_PLAN>['built'];
type Planned = Extract<Built, { readonly __typename: 'TransactionPlan' }>;

/** The actions that the wallet has collected, their effects in order, and one button that runs them. */
export function PlanPanel({ wallet }: { readonly wallet: ActWallet }): ReactNode {
  const { items, clear } = usePlanChoice();
  const actions = items.map(({ action }) => action);
  const variables = { actions };
  const { run, isRunning, start, reset } = usePlan(actions);
  const result = useSluiceQuery(PREVIEW_PLAN, variables, {
    enabled: items.length > 0 && !isRunning,
    refetchMs: PREVIEW_MS,
  });
  const isCurrent = result.data !== undefined && !result.isPlaceholderData && result.error === null;
  const built = result.data?.data.built;
  const { send, problem } = useSending(wallet, start);
  const sendAll = async () => {
    if ((await send()) !== null) clear();
  };
  if (run.step === 'succeeded')
    return (
      <section className="panel" aria-label="Plan">
        <header>
          <h2>Plan</h2>
        </header>
        <div className="content">
          <RunState run={run}>
            <button type="button" onClick={reset}>
              Close
            </button>
          </RunState>
        </div>
      </section>
    );
  if (items.length === 0) return null;
  const clearButton = (
    <button type="button" className="quiet" disabled={isRunning} onClick={clear}>
      Clear
    </button>
  );
  return (
    <Panel title="Plan" document={PREVIEW_PLAN} variables={variables} result={result} controls={clearButton}>
      {(data) => (
        <div className="act-form">
          <p className="muted">
            {items.length} of at most {MOST_STEPS} actions, one after the other. Each sees what those before
            it leave.
          </p>
          <Steps items={items} built={data.built} isFixed={isRunning} />
          <Whole built={data.built} items={items} />
          <div className="row">
            <button
              type="button"
              className="primary"
              disabled={!isCurrent || !canWork(built) || isRunning}
              onClick={() => void sendAll()}
            >
              Sign and send the plan
            </button>
            <small className="muted">Signs with {wallet.name}</small>
          </div>
          <RunProgress run={run} isRunning={isRunning} problem={problem} onStop={reset} />
        </div>
      )}
    </Panel>
  );
}

const canWork = (built: Built | undefined): boolean =>
  built?.__typename === 'TransactionPlan' && built.warnings.every(({ level }) => level !== 'ERROR');

interface StepsProps {
  readonly items: readonly PlanItem[];
  readonly built: Built;
  /** While the plan runs it cannot be changed. */
  readonly isFixed: boolean;
}

function Steps({ items, built, isFixed }: StepsProps): ReactNode {
  const { remove, advance } = usePlanChoice();
  const steps = built.__typename === 'TransactionPlan' ? built.steps : [];
  return (
    <ol className="plan-steps">
      {items.map((item, index) => {
        const name = `${VERB_NAMES[item.verb]} ${item.amount}`;
        return (
          <li key={item.key}>
            <div className="row">
              <strong>{name}</strong>
              {index > 0 && (
                <button
                  type="button"
                  className="quiet"
                  disabled={isFixed}
                  aria-label={`Do earlier: ${name}`}
                  onClick={() => advance(item.key)}
                >
                  Earlier
                </button>
              )}
              <button
                type="button"
                className="quiet"
                disabled={isFixed}
                aria-label={`Remove: ${name}`}
                onClick={() => remove(item.key)}
              >
                Remove
              </button>
            </div>
            <StepEffect item={item} step={steps[index]} />
          </li>
        );
      })}
    </ol>
  );
}

interface StepEffectProps {
  readonly item: PlanItem;
  /** Undefined when the plan cannot be built. */
  readonly step: Planned['steps'][number] | undefined;
}

function StepEffect({ item: { verb, symbol }, step }: StepEffectProps): ReactNode {
  if (step === undefined) return null;
  return (
    <div className="preview">
      <details>
        <summary>
          {step.summary}, in transaction {step.transaction + 1}
        </summary>
        <Effects preview={step.preview} verb={verb} symbol={symbol} />
      </details>
      <Warnings warnings={step.warnings} />
    </div>
  );
}

interface WholeProps {
  readonly built: Built;
  readonly items: readonly PlanItem[];
}

/** The effect of all steps, or the step that cannot work. */
function Whole({ built, items }: WholeProps): ReactNode {
  if (built.__typename !== 'TransactionPlan')
    return (
      <Notice
        tone="danger"
        title={built.step === null ? 'The plan cannot be built.' : `Step ${built.step + 1} cannot work.`}
      >
        {built.message} <code>{built.code}</code>
      </Notice>
    );
  const [first] = items;
  if (built.preview === null || first === undefined) return null;
  return (
    <section className="preview" aria-label="Effect of the whole plan">
      <h3>The whole plan</h3>
      <Effects preview={built.preview} verb={first.verb} symbol={first.symbol} />
    </section>
  );
}
