import { Decimal } from '@sluice/client';
import type { PreviewState } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { duration } from '../format/dates.ts';
import { tokens } from '../format/numbers.ts';
import { useClock } from '../shell/clock.ts';
import { Notice } from '../ui/notice.tsx';
import { ActDetails } from './act-details.tsx';
import type { VaultTerms } from './act-form.tsx';
import { type Deed, networkFee, saidBefore, surpriseOf } from './act-words.ts';
import type { Explained, ExplainedState } from './explained.ts';
import { NowAndAfter } from './now-and-after.tsx';
import { feeName } from './preview-rows.ts';
import { Said } from './said.tsx';

interface ActEffectProps {
  readonly state: PreviewState;
  readonly deed: Deed;
  readonly simulation: ExplainedState;
  /** The limit of the amount, which is told while there is none. */
  readonly missing: string;
}

/** The effect of an action: a sentence, what else it moves, and the figures that decide. */
export function ActEffect({ state, deed, simulation, missing }: ActEffectProps): ReactNode {
  const { preview } = state;
  if (state.status === 'none') return <p className="sub">{missing}</p>;
  if (preview === null) return state.status === 'pending' && <p className="muted">Computing the effect…</p>;
  const isReady = state.status === 'ready';
  const explained = simulation.isOld ? null : simulation.explained;
  const surprise = surpriseOf(deed);
  return (
    <section className={isReady ? 'preview' : 'preview outdated'} aria-label="Preview" aria-busy={!isReady}>
      <p className="effect">
        <Said words={saidBefore(deed)} />
      </p>
      {surprise !== null && (
        <Notice tone="info">
          <Said words={surprise} />
        </Notice>
      )}
      {explained?.transactions.flatMap(({ warnings }) =>
        warnings.map(({ code, message }) => (
          <Notice key={`${code} ${message}`} tone="caution">
            {message}
          </Notice>
        )),
      )}
      <Refused simulation={simulation} explained={explained} />
      {preview.warnings
        .filter(({ level }) => level !== 'ERROR')
        .map(({ code, level, message }) => (
          <Notice key={`${code} ${message}`} tone={level === 'WARNING' ? 'caution' : 'info'}>
            {message}
          </Notice>
        ))}
      <NowAndAfter deed={deed} preview={preview} />
      {typeof preview.debtTerm?.description === 'string' && (
        <p className="sub">{preview.debtTerm.description}</p>
      )}
    </section>
  );
}

interface ActCostsProps extends Omit<ActEffectProps, 'missing'> {
  readonly terms: VaultTerms | undefined;
}

/** The costs of an action in one line, with the raw figures behind a click. */
export function ActCosts({ state: { preview }, deed, simulation, terms }: ActCostsProps): ReactNode {
  if (preview === null) return null;
  const explained = simulation.isOld ? null : simulation.explained;
  return (
    <div className="preview">
      <p className="sub costs">
        {explained !== null && <NetworkFee explained={explained} />}
        {preview.fees.map(({ kind, amount }) => (
          <span key={kind}>
            {feeName(kind)} {tokens(Decimal.of(amount.amount), amount.token.symbol).text}.{' '}
          </span>
        ))}
        <Leaving deed={deed} terms={terms} /> <Simulated explained={explained} />
      </p>
      <ActDetails
        preview={preview}
        explained={explained}
        verb={deed.verb}
        symbol={deed.symbol}
        shares={terms?.shares ?? null}
      />
    </div>
  );
}

/** Why the simulation failed: nothing was sent for it. */
function Refused({
  simulation,
  explained,
}: {
  readonly simulation: ExplainedState;
  readonly explained: Explained | null;
}): ReactNode {
  const failure = explained?.transactions[0].simulation?.error ?? null;
  const message = failure?.message ?? simulation.error?.message;
  if (message === undefined) return null;
  return (
    <Notice tone="danger" title="It would not go through now. Nothing was sent, and no money moved.">
      {message}{' '}
      <button type="button" className="quiet" onClick={simulation.again}>
        Simulate again
      </button>
    </Notice>
  );
}

function NetworkFee({ explained }: { readonly explained: Explained }): ReactNode {
  const fee = networkFee(explained);
  return fee === null
    ? 'The network fee is not known. '
    : `Network fee ${fee.format({ locale: 'en-US', places: 9 })}\u00a0SOL. `;
}

function Leaving({ deed, terms }: Pick<ActCostsProps, 'deed' | 'terms'>): ReactNode {
  if (deed.verb !== 'deposit' || terms === undefined || terms.penaltyBps === null) return null;
  if (terms.penaltyBps === 0) return 'Leaving costs nothing.';
  return `Leaving costs ${(terms.penaltyBps / 100).toFixed(2)}%.`;
}

function Simulated({ explained }: { readonly explained: Explained | null }): ReactNode {
  const now = useClock(1_000);
  if (explained === null) return 'Being simulated…';
  const { simulation } = explained.transactions[0];
  const ago = duration(Math.max(0, now - explained.at));
  if (simulation === null) return 'The chain could not simulate it.';
  return `Simulated ${ago} ago: ${simulation.success ? 'succeeds' : 'fails'}.`;
}
