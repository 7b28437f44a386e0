import { Decimal } from '@sluice/client';
import { type ReactNode, useId } from 'react';
import { SelectField } from '../select-field.tsx';
import { TextField } from '../text-field.tsx';
import { IDLE, initialTarget, type TargetReserve, type TypedTarget, type TypedTargets } from './targets.ts';

interface TargetFieldsProps {
  readonly reserves: readonly TargetReserve[];
  /** Other reserves of the token: address and name. */
  readonly others: readonly (readonly [address: string, name: string])[];
  readonly symbol: string;
  readonly typed: TypedTargets;
  readonly mistakes: Readonly<Record<string, string>>;
  readonly onChange: (typed: TypedTargets) => void;
  readonly onAdd: (address: string) => void;
}

/** Weight and cap of each reserve, and the weight of what stays idle. */
export function TargetFields(props: TargetFieldsProps): ReactNode {
  const { reserves, others, symbol, typed, mistakes, onChange, onAdd } = props;
  return (
    <>
      <div className="targets">
        {reserves.map((reserve) => (
          <ReserveFields
            key={reserve.address}
            reserve={reserve}
            symbol={symbol}
            typed={typed.reserves[reserve.address] ?? initialTarget(reserve)}
            mistake={mistakes[reserve.address] ?? null}
            onChange={(target) =>
              onChange({ ...typed, reserves: { ...typed.reserves, [reserve.address]: target } })
            }
          />
        ))}
        <fieldset>
          <legend>Idle tokens</legend>
          <TextField
            label="Weight of idle tokens"
            value={typed.idle}
            onChange={(idle) => onChange({ ...typed, idle })}
          />
          <Mistake text={mistakes[IDLE] ?? null} />
        </fieldset>
      </div>
      {others.length > 0 && (
        <SelectField
          label="Add a reserve"
          value=""
          options={[['', 'Choose a reserve'], ...others]}
          onChange={(address) => address !== '' && onAdd(address)}
        />
      )}
    </>
  );
}

interface ReserveFieldsProps {
  readonly reserve: TargetReserve;
  readonly symbol: string;
  readonly typed: TypedTarget;
  readonly mistake: string | null;
  readonly onChange: (typed: TypedTarget) => void;
}

function ReserveFields({ reserve, symbol, typed, mistake, onChange }: ReserveFieldsProps): ReactNode {
  const id = useId();
  const { name, present } = reserve;
  return (
    <fieldset>
      <legend>{name}</legend>
      {!typed.remove && (
        <>
          <TextField
            label={present === null ? 'Weight' : `Weight, now ${present.weight}`}
            value={typed.weight}
            onChange={(weight) => onChange({ ...typed, weight })}
          />
          <TextField
            label={`Cap in ${symbol}, now ${present?.cap ? Decimal.of(present.cap).format({ places: 6 }) : 'none'}`}
            value={typed.cap}
            onChange={(cap) => onChange({ ...typed, cap })}
          />
        </>
      )}
      {present !== null && (
        <div className="check">
          <input
            id={id}
            type="checkbox"
            checked={typed.remove}
            onChange={({ target }) => onChange({ ...typed, remove: target.checked })}
          />
          <label htmlFor={id}>Leave it for good</label>
        </div>
      )}
      <Mistake text={mistake} />
    </fieldset>
  );
}

function Mistake({ text }: { readonly text: string | null }): ReactNode {
  return (
    <p className="problem" aria-live="polite">
      {text}
    </p>
  );
}
