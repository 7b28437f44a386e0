import { type ReactNode, useId } from 'react';
import { VERB_NAMES, type Verb } from './action.ts';

interface VerbChoiceProps {
  readonly verbs: readonly Verb[];
  readonly value: Verb;
  readonly disabled: boolean;
  readonly onChange: (verb: Verb) => void;
}

export function VerbChoice({ verbs, value, disabled, onChange }: VerbChoiceProps): ReactNode {
  const name = useId();
  return (
    <fieldset className="segments verbs" disabled={disabled}>
      <legend className="visually-hidden">Action</legend>
      {verbs.map((verb) => (
        <label key={verb}>
          <input
            type="radio"
            name={name}
            value={verb}
            checked={verb === value}
            onChange={() => onChange(verb)}
          />
          <span>{VERB_NAMES[verb]}</span>
        </label>
      ))}
    </fieldset>
  );
}
