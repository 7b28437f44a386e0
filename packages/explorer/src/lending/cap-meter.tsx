import type { ReactNode } from 'react';
import { Meter } from '../ui/meter.tsx';
import type { Tone } from '../ui/notice.tsx';
import { Tokens } from '../ui/value.tsx';
import { capOf } from './cap.ts';

interface Amount {
  readonly amount: string;
  readonly baseUnits: string;
}

export interface CapMeterProps {
  /** Names the limited amount for screen readers, for example `Deposits`. */
  readonly label: string;
  readonly used: Amount;
  /** Null: there is no limit. */
  readonly capacity: Amount | null;
  readonly symbol: string;
}

/** Used part of a limit, and the limit. */
export function CapMeter({ label, used, capacity, symbol }: CapMeterProps): ReactNode {
  const cap = capOf(used.baseUnits, capacity?.baseUnits ?? null);
  if (capacity === null || cap.kind === 'none') return <span className="muted">No limit</span>;
  if (cap.kind === 'closed') return <span className="muted">Closed: the limit is 0</span>;
  return (
    <span className="two-lines">
      <Meter label={`${label}, part of the limit`} value={cap.fill} derived tone={toneOf(cap.fill)} />
      <small>
        of <Tokens value={capacity.amount} symbol={symbol} />
      </small>
    </span>
  );
}

/** For colour only. */
function toneOf(fill: string): Tone {
  const part = Number(fill);
  return part >= 1 ? 'danger' : part >= 0.9 ? 'caution' : 'info';
}
