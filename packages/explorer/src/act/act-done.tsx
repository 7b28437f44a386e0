import type { ActionRun } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { type Step, Steps } from './act-steps.tsx';
import type { Words } from './act-words.ts';
import { VERB_NAMES, type Verb } from './action.ts';
import { SeeTransactions } from './outcome.tsx';
import { Said } from './said.tsx';

interface ActDoneProps {
  readonly run: Extract<ActionRun, { step: 'succeeded' }>;
  /** The words from before it, in the past. */
  readonly said: Words;
  readonly steps: readonly Step[];
  readonly verb: Verb;
  readonly onAgain: () => void;
}

/** An action that went through. */
export function ActDone({ run, said, steps, verb, onAgain }: ActDoneProps): ReactNode {
  return (
    <div className="act-form">
      <p className="effect" role="status">
        <Said words={said} />
      </p>
      <Steps steps={steps} stateOf={() => 'done'} />
      <div className="row">
        <SeeTransactions run={run} />
        <button type="button" onClick={onAgain}>
          {VERB_NAMES[verb]} more
        </button>
      </div>
    </div>
  );
}
