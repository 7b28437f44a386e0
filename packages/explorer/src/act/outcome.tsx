import type { SluiceError } from '@sluice/client';
import type { ActionRun } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useDeveloperMode } from '../ui/developer-mode.ts';
import { Notice } from '../ui/notice.tsx';
import { failureOf, type Reached } from './outcome-words.ts';

interface FailedProps {
  readonly error: SluiceError;
  /** Noun of what was tried, such as `deposit`. */
  readonly what: string;
  readonly reached: Reached;
  readonly again?: (() => void) | undefined;
  /** Steps with their states, between the words and the buttons. */
  readonly children?: ReactNode;
}

/** An action that failed: what happened, whether money moved, and what to do, in that order. */
export function Failed({ error, what, reached, again, children }: FailedProps): ReactNode {
  const { title, reason, advice, signature } = failureOf(error, what, reached);
  return (
    <div className="outcome">
      <Notice tone="danger" title={title}>
        {reason}
        {advice !== null && ` ${advice}`}
      </Notice>
      {children}
      <div className="row">
        {again !== undefined && (
          <button type="button" className="primary" onClick={again}>
            Try again
          </button>
        )}
        {signature !== null && <SeeTransaction signature={signature} />}
      </div>
      <Logs error={error} />
    </div>
  );
}

export function SeeTransaction({ signature }: { readonly signature: string }): ReactNode {
  return (
    <Link className="button" href={`/transactions/${signature}`}>
      See the transaction
    </Link>
  );
}

/** Links to all transactions of a run that went through. */
export function SeeTransactions({
  run,
}: {
  readonly run: Extract<ActionRun, { step: 'succeeded' }>;
}): ReactNode {
  const { signatures } = run.result;
  const [only] = signatures;
  if (signatures.length === 1 && only !== undefined) return <SeeTransaction signature={only} />;
  return signatures.map((signature, index) => (
    <Link className="button" key={signature} href={`/transactions/${signature}`}>
      See transaction {index + 1}
    </Link>
  ));
}

/** The log lines of the programs, for developers. */
function Logs({ error }: { readonly error: SluiceError }): ReactNode {
  const isDeveloper = useDeveloperMode();
  const { logs, name } = error.context;
  if (!isDeveloper) return null;
  return (
    <p className="muted">
      <code>{error.code}</code> {typeof name === 'string' && <code>{name}</code>}
      {Array.isArray(logs) && logs.length > 0 && <LogLines logs={logs} />}
    </p>
  );
}

export function LogLines({ logs }: { readonly logs: readonly unknown[] }): ReactNode {
  return (
    <details>
      <summary>{logs.length} log lines</summary>
      <pre>{logs.join('\n')}</pre>
    </details>
  );
}
