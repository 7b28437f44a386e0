import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { capOf } from '../../lending/cap.ts';
import { Part, Tokens } from '../../ui/value.tsx';

interface Amount {
  readonly amount: string;
  readonly baseUnits: string;
}

export interface LimitBarProps {
  readonly name: string;
  readonly used: Amount;
  /** Null: there is no limit. */
  readonly capacity: Amount | null;
  readonly room?: { readonly amount: string };
  readonly symbol: string;
}

/** A limit as a bar over the whole width: how much of it is used, and how much is left. */
export function LimitBar({ name, used, capacity, room, symbol }: LimitBarProps): ReactNode {
  const cap = capOf(used.baseUnits, capacity?.baseUnits ?? null);
  if (capacity === null || cap.kind === 'none') return <BarLine name={name} share={null} words="No limit" />;
  if (cap.kind === 'closed') return <BarLine name={name} share={null} words="Closed: the limit is 0" />;
  return (
    <BarLine
      name={name}
      share={cap.fill}
      words={
        <>
          <Part value={cap.fill} derived /> of <Tokens value={capacity.amount} symbol={symbol} />
          {room !== undefined && (
            <>
              , room for <Tokens value={room.amount} symbol={symbol} />
            </>
          )}
        </>
      }
    />
  );
}

export interface BarLineProps {
  readonly name: string;
  /** The filled part as a fraction. Null: no bar. */
  readonly share: string | null;
  /** The full bar as a fraction; 1 when left out. */
  readonly of?: string | null;
  readonly words: ReactNode;
}

/** A name, a bar and what it says. */
export function BarLine({ name, share, of = null, words }: BarLineProps): ReactNode {
  const full = of === null ? 1 : Decimal.of(of).toApproximateNumber();
  const part = share === null ? 0 : Decimal.of(share).toApproximateNumber();
  const width = full <= 0 ? 1 : Math.min(1, Math.max(0, part / full));
  const tone = width >= 1 ? 'danger' : width >= 0.9 ? 'caution' : 'info';
  return (
    <li>
      <span>{name}</span>
      <span className="words">{words}</span>
      {share !== null && (
        <span className={`bar ${tone}`} aria-hidden="true">
          <span style={{ inlineSize: `${width * 100}%` }} />
        </span>
      )}
    </li>
  );
}
