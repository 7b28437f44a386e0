import { PREVIEW_VAULT_EXIT, type ResultOf, type VaultExit } from '@sluice/client';
import { useSluiceQuery, useVaultExit } from '@sluice/client/react';
import { type ReactNode, useState } from 'react';
import { Notice } from '../ui/notice.tsx';
import { Failure } from '../ui/states.tsx';
import { typedAmount } from './amount.ts';
import { AmountField } from './amount-field.tsx';
import { Effects, Warnings } from './effects.tsx';
import type { ActUnit, Maximum } from './maximum.ts';
import { RunProgress, RunState } from './run-state.tsx';
import { useSending } from './use-sending.ts';
import type { ActWallet } from './wallet-context.tsx';

export interface VaultExitFormProps {
  readonly vault: string;
  readonly wallet: ActWallet;
  /** The token of the vault. */
  readonly symbol: string;
  readonly unit: ActUnit;
  readonly maximum: Maximum;
}

/** Prices and rates move while the user thinks. */
const PREVIEW_MS = 15_000;

/** Leaves a vault: takes what it can pay, and queues the rest. */
export function VaultExitForm({ vault, wallet, symbol, unit, maximum }: VaultExitFormProps): ReactNode {
  const [text, setText] = useState('');
  const [whole, setWhole] = useState(false);
  const typed = typedAmount(text, unit.decimals, unit.symbol);
  const shares = typed.kind === 'amount' ? typed.amount.toString() : null;
  const exit: VaultExit | null =
    shares === null ? null : { wallet: wallet.address, vault, amount: whole ? { all: 'ALL' } : { shares } };
  const { run, isRunning, start, reset } = useVaultExit(exit);
  const { send, problem } = useSending(wallet, start);
  const result = useSluiceQuery(
    PREVIEW_VAULT_EXIT,
    { input: exit ?? { wallet: wallet.address, vault, amount: { all: 'ALL' } } },
    { enabled: exit !== null && !isRunning, refetchMs: PREVIEW_MS },
  );
  const built = exit === null || result.isPlaceholderData ? undefined : result.data?.data.built;
  if (run.step === 'succeeded')
    return (
      <RunState run={run}>
        <button
          type="button"
          onClick={() => {
            setText('');
            setWhole(false);
            reset();
          }}
        >
          Close
        </button>
      </RunState>
    );
  return (
    <form
      className="act-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (canWork(built) && !isRunning) void send();
      }}
    >
      <p className="muted">
        Takes what the vault can pay now, and puts the rest into the withdraw queues of its reserves.
      </p>
      <AmountField
        unit={unit}
        maximum={maximum}
        text={text}
        typed={typed}
        disabled={isRunning}
        onChange={(next, isMaximum) => {
          setText(next);
          setWhole(isMaximum && maximum.all);
        }}
      />
      {exit !== null && result.error !== null && <Failure error={result.error} />}
      {exit !== null && built === undefined && result.error === null && (
        <p className="muted">Computing the steps…</p>
      )}
      {built !== undefined && <ExitSteps built={built} symbol={symbol} />}
      <div className="row">
        <button type="submit" className="primary" disabled={!canWork(built) || isRunning}>
          Leave the vault
        </button>
        <small className="muted">Signs with {wallet.name}</small>
      </div>
      <RunProgress run={run} isRunning={isRunning} problem={problem} onStop={reset} />
    </form>
  );
}

type Built = ResultOf<typeof PREVIEW_VAULT_EXIT>['built'];

const canWork = (built: Built | undefined): boolean =>
  built?.__typename === 'TransactionPlan' && built.warnings.every(({ level }) => level !== 'ERROR');

function ExitSteps({ built, symbol }: { readonly built: Built; readonly symbol: string }): ReactNode {
  if (built.__typename !== 'TransactionPlan')
    return (
      <Notice tone="danger" title="The vault cannot be left.">
        {built.message} <code>{built.code}</code>
      </Notice>
    );
  return (
    <section className="preview" aria-label="Steps of the exit">
      <ol className="plan-steps">
        {built.steps.map((step) => (
          <li key={step.summary}>
            <details>
              <summary>{step.summary}</summary>
              <Effects
                preview={step.preview}
                verb={step.kind === 'ENQUEUE_WITHDRAW' ? 'queue' : 'withdraw'}
                symbol={symbol}
              />
            </details>
          </li>
        ))}
      </ol>
      <Warnings warnings={built.warnings} />
    </section>
  );
}
