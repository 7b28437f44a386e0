import type { VariablesOf } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useState } from 'react';
import { absence } from '../../ui/absence.ts';
import { Empty, Failure } from '../../ui/states.tsx';
import { useHistoryStart } from '../../ui/use-history-start.ts';
import { SelectField } from '../select-field.tsx';
import { BacktestResult } from './backtest-result.tsx';
import { type BacktestWeights, backtestWeights, type TargetReserve, type VaultTargets } from './targets.ts';
import { VAULT_BACKTEST } from './vault-plan-documents.ts';
import type { WeighedVault } from './weights-form.tsx';

interface BacktestPartProps {
  readonly vault: WeighedVault;
  readonly reserves: readonly TargetReserve[];
  /** Null while a field is malformed. */
  readonly wanted: VaultTargets | null;
  readonly nameOf: (reserve: string) => string;
}

type Period = VariablesOf<typeof VAULT_BACKTEST>['last'];

const PERIODS = [
  ['D7', 'The last 7 days'],
  ['D30', 'The last 30 days'],
  ['D90', 'The last 90 days'],
  ['D180', 'The last 180 days'],
  ['D365', 'The last year'],
] as const satisfies readonly (readonly [Period, string])[];

interface Asked extends BacktestWeights {
  readonly last: (typeof PERIODS)[number][0];
}

/** Runs the wanted weights over recorded history, on request. */
export function BacktestPart({ vault, reserves, wanted, nameOf }: BacktestPartProps): ReactNode {
  const [last, chooseLast] = useState<Asked['last']>('D30');
  const [asked, setAsked] = useState<Asked | null>(null);
  const next =
    wanted === null ? null : { ...backtestWeights(reserves, wanted, vault.unallocatedWeight), last };
  const isSame = JSON.stringify(asked) === JSON.stringify(next);
  const variables = {
    vault: vault.address,
    weights: [...(asked?.weights ?? [])],
    unallocatedWeight: asked?.unallocatedWeight ?? '0',
    last: asked?.last ?? last,
  };
  const result = useSluiceQuery(VAULT_BACKTEST, variables, { enabled: asked !== null });
  useHistoryStart(result, asked !== null);
  const answer = asked === null || result.isPlaceholderData ? undefined : result.data;
  const backtest = answer?.data.vault?.backtest;
  return (
    <>
      <SelectField label="Over" value={last} options={PERIODS} onChange={chooseLast} />
      <div className="row">
        <button type="button" disabled={next === null || isSame} onClick={() => setAsked(next)}>
          Run the backtest
        </button>
        {asked !== null && !isSame && (
          <small className="muted">The result below is for what you had chosen before.</small>
        )}
      </div>
      {asked !== null && result.error !== null && <Failure error={result.error} />}
      {asked !== null && answer === undefined && result.error === null && (
        <p className="muted">Reading the history…</p>
      )}
      {answer !== undefined &&
        (backtest === undefined || backtest === null ? (
          <Empty>{absence(answer.errors, ['vault', 'backtest'], 'There is no history to compare.')}</Empty>
        ) : (
          <div className={isSame ? undefined : 'outdated'}>
            <BacktestResult backtest={backtest} nameOf={nameOf} />
          </div>
        ))}
    </>
  );
}
