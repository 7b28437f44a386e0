import type { SluiceError } from '@sluice/client';
import { type ReactNode, useId } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { TokenGroup } from './token-groups.ts';
import type { WhatIf } from './use-what-if.ts';
import type { Loan } from './wallet-documents.ts';
import { signedPercent } from './what-if.ts';
import { WHAT_IF } from './what-if-documents.ts';
import { WhatIfOutcome } from './what-if-outcome.tsx';
import { CHANGE_RANGE, MOST_DAYS, NOTHING_SUPPOSED } from './what-if-state.ts';

export interface WhatIfPanelProps {
  readonly whatIf: WhatIf;
  readonly loans: readonly Loan[];
}

/** The whole wallet under prices and days that the reader supposes. */
export function WhatIfPanel({ whatIf, loans }: WhatIfPanelProps): ReactNode {
  const { groups, supposed, suppose, result, variables } = whatIf;
  const change = (key: string, percent: number) =>
    suppose({ ...supposed, changes: { ...supposed.changes, [key]: percent } });
  const dollars = groups.filter(({ isDollar }) => isDollar);
  const slider = (group: TokenGroup) => (
    <PriceSlider
      key={group.key}
      group={group}
      change={supposed.changes[group.key] ?? 0}
      onChange={(percent) => change(group.key, percent)}
    />
  );
  return (
    <Panel
      title="What if"
      document={WHAT_IF}
      variables={variables}
      result={result}
      controls={
        <span className="what-if-tools">
          <CopyButton label="Share" picture="share" text={() => location.href} />
          <button type="button" className="small" onClick={() => suppose(NOTHING_SUPPOSED)}>
            Reset
          </button>
        </span>
      }
    >
      {({ wallet }) => (
        <div className="what-if">
          {groups.filter(({ isDollar }) => !isDollar).map(slider)}
          <DaysSlider days={supposed.days} onChange={(days) => suppose({ ...supposed, days })} />
          {dollars.length > 0 && (
            <details className="more" open={dollars.some(({ key }) => (supposed.changes[key] ?? 0) !== 0)}>
              <summary>Prices of dollar tokens</summary>
              <div className="what-if">{dollars.map(slider)}</div>
            </details>
          )}
          <WhatIfOutcome
            wallet={wallet}
            loans={loans}
            groups={groups}
            supposed={supposed}
            errors={result.data?.errors ?? NO_ERRORS}
          />
        </div>
      )}
    </Panel>
  );
}

const NO_ERRORS: readonly SluiceError[] = [];

interface PriceSliderProps {
  readonly group: TokenGroup;
  /** In percent. */
  readonly change: number;
  readonly onChange: (change: number) => void;
}

function PriceSlider({ group, change, onChange }: PriceSliderProps): ReactNode {
  const id = useId();
  return (
    <p className="slide">
      <label htmlFor={id}>
        {group.name}
        <span className="visually-hidden"> price</span>
      </label>
      <output htmlFor={id}>{signedPercent(change)}</output>
      <input
        id={id}
        type="range"
        min={CHANGE_RANGE.least}
        max={CHANGE_RANGE.most}
        step={CHANGE_RANGE.step}
        value={change}
        onChange={({ target }) => onChange(target.valueAsNumber)}
        aria-valuetext={signedPercent(change)}
      />
    </p>
  );
}

function DaysSlider({
  days,
  onChange,
}: {
  readonly days: number;
  readonly onChange: (days: number) => void;
}): ReactNode {
  const id = useId();
  return (
    <p className="slide">
      <label htmlFor={id}>Days of interest</label>
      <output htmlFor={id}>{days}</output>
      <input
        id={id}
        type="range"
        min={0}
        max={MOST_DAYS}
        value={days}
        onChange={({ target }) => onChange(target.valueAsNumber)}
        aria-valuetext={`${days} days`}
      />
    </p>
  );
}
