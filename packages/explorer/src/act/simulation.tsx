import { type Action, type ActionPlan, buildAction, SluiceError } from '@sluice/client';
import { useSession } from '@sluice/client/react';
import { type ReactNode, useState } from 'react';
import { Notice } from '../ui/notice.tsx';
import { Failure } from '../ui/states.tsx';
import { Count, Tokens } from '../ui/value.tsx';

type Simulated =
  | { readonly key: string; readonly status: 'running' }
  | { readonly key: string; readonly status: 'done'; readonly plan: ActionPlan }
  | { readonly key: string; readonly status: 'failed'; readonly error: SluiceError };

export interface Simulation {
  readonly isRunning: boolean;
  /** Null unless this very action has been simulated. */
  readonly plan: ActionPlan | null;
  readonly error: SluiceError | null;
  readonly start: () => Promise<void>;
}

/** Builds an action and has the cluster simulate it, unsigned. */
export function useSimulation(action: Action | null): Simulation {
  const { client } = useSession();
  const [simulated, setSimulated] = useState<Simulated | null>(null);
  const key = JSON.stringify(action);
  const current = simulated?.key === key ? simulated : null;
  return {
    isRunning: current?.status === 'running',
    plan: current?.status === 'done' ? current.plan : null,
    error: current?.status === 'failed' ? current.error : null,
    start: async () => {
      if (action === null) return;
      setSimulated({ key, status: 'running' });
      try {
        setSimulated({ key, status: 'done', plan: await buildAction(client, action, { simulate: true }) });
      } catch (error) {
        if (!(error instanceof SluiceError)) throw error;
        setSimulated({ key, status: 'failed', error });
      }
    },
  };
}

export function SimulationPart({ simulation }: { readonly simulation: Simulation }): ReactNode {
  const { plan, error } = simulation;
  if (error !== null) return <Failure error={error} />;
  if (plan === null) return null;
  const outcome = plan.simulation;
  if (outcome === null || outcome === undefined)
    return <Notice tone="caution">The cluster could not simulate the transaction.</Notice>;
  return (
    <section className="simulation" aria-label="Simulation">
      {outcome.success ? (
        <Notice tone="safe" title="It would succeed." />
      ) : (
        <Notice tone="danger" title={outcome.error?.name ?? 'It would fail.'}>
          {outcome.error?.message}
        </Notice>
      )}
      <p>
        Compute units{' '}
        <Count
          derived
          value={outcome.unitsConsumed === null ? null : String(outcome.unitsConsumed)}
          absent="The RPC endpoint does not report them."
        />
        ,{' '}
        {plan.transactions.map(({ sizeBytes, sizeLimit }) => `${sizeBytes} of ${sizeLimit} bytes`).join(', ')}
      </p>
      {outcome.balanceChanges.length > 0 && (
        <ul>
          {outcome.balanceChanges.map(({ change }) => (
            <li key={change.token.mint}>
              <Tokens derived value={change.amount} symbol={change.token.symbol} signed />
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>{outcome.logs.length} log lines</summary>
        <pre>{outcome.logs.join('\n')}</pre>
      </details>
    </section>
  );
}
