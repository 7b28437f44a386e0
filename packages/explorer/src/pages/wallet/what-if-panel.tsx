import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useId, useState } from 'react';
import { absence } from '../../ui/absence.ts';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { LoanSelect } from './loan-select.tsx';
import type { LoanPanelProps } from './reach-panel.tsx';
import {
  CHANGE_RANGE,
  type Changes,
  type LoanToken,
  loanTokens,
  priceShocks,
  signedPercent,
  typedDays,
} from './what-if.ts';
import { WHAT_IF } from './what-if-documents.ts';
import { WhatIfTable } from './what-if-table.tsx';

/** A loan under prices and days that the user supposes. */
export function WhatIfPanel({ loans }: Pick<LoanPanelProps, 'loans'>): ReactNode {
  const [address, choose] = useState(loans[0].address);
  const loan = loans.find((each) => each.address === address) ?? loans[0];
  const [changes, setChanges] = useState<Changes>({});
  const [text, setText] = useState('0');
  const tokens = loanTokens(loan);
  const typed = typedDays(text);
  const variables = useSettled({
    loan: loan.address,
    prices: [...priceShocks(tokens, changes)],
    days: typed ?? 0,
  });
  const result = useSluiceQuery(WHAT_IF, variables, { refetchMs: 30_000 });
  const errors = result.data?.errors ?? [];
  const reset = () => {
    setChanges({});
    setText('0');
  };
  return (
    <Panel
      title="What if"
      document={WHAT_IF}
      variables={variables}
      result={result}
      controls={
        <button type="button" className="quiet" onClick={reset}>
          Reset
        </button>
      }
    >
      {({ obligation }) => (
        <>
          <LoanSelect loans={loans} value={loan.address} onChange={choose} />
          <div className="supposed">
            {tokens.map((token) => (
              <PriceSlider
                key={token.mint}
                token={token}
                change={changes[token.mint] ?? 0}
                onChange={(change) => setChanges((before) => ({ ...before, [token.mint]: change }))}
              />
            ))}
            <DaysField text={text} isMistake={typed === null} onChange={setText} />
          </div>
          {obligation === null || obligation.present === null || obligation.supposed === null ? (
            <Empty>{absence(errors, ['obligation', 'supposed'], 'The loan does not exist any more.')}</Empty>
          ) : (
            <WhatIfTable present={obligation.present} supposed={obligation.supposed} />
          )}
        </>
      )}
    </Panel>
  );
}

interface PriceSliderProps {
  readonly token: LoanToken;
  /** In percent. */
  readonly change: number;
  readonly onChange: (change: number) => void;
}

function PriceSlider({ token, change, onChange }: PriceSliderProps): ReactNode {
  const id = useId();
  return (
    <p className="price-slider">
      <label htmlFor={id}>{token.symbol} price</label>
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
      <output htmlFor={id}>{signedPercent(change)}</output>
    </p>
  );
}

interface DaysFieldProps {
  readonly text: string;
  readonly isMistake: boolean;
  readonly onChange: (text: string) => void;
}

function DaysField({ text, isMistake, onChange }: DaysFieldProps): ReactNode {
  const [input, mistake] = [useId(), useId()];
  return (
    <div className="field">
      <label htmlFor={input}>Days of interest</label>
      <input
        id={input}
        inputMode="numeric"
        autoComplete="off"
        size={4}
        value={text}
        onChange={({ target }) => onChange(target.value)}
        aria-invalid={isMistake}
        aria-describedby={mistake}
      />
      <span id={mistake} className="problem" aria-live="polite">
        {isMistake && 'Write whole days from 0 to 3650.'}
      </span>
    </div>
  );
}
