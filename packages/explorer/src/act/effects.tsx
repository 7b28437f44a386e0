import type { ActionPreview } from '@sluice/client';
import type { ReactNode } from 'react';
import { ChangeRow, ChangeTable } from '../ui/change-table.tsx';
import { healthRisk } from '../ui/health.tsx';
import { Notice } from '../ui/notice.tsx';
import { Absent, ShownValue, Tokens } from '../ui/value.tsx';
import type { Verb } from './action.ts';
import { feeName, previewRows, queueAmounts } from './preview-rows.ts';

export interface EffectsProps {
  readonly preview: ActionPreview;
  readonly verb: Verb;
  readonly symbol: string;
}

/** Before and after, and the fees. */
export function Effects({ preview, verb, symbol }: EffectsProps): ReactNode {
  return (
    <ChangeTable caption="Before and after" heads={['Effect', 'Before', 'After']}>
      {previewRows(preview, verb, symbol).map(({ name, before, after, show, absent }) => {
        const shared = { show, absent, derived: true };
        return (
          <ChangeRow
            key={name}
            name={name}
            before={<ShownValue value={before} {...shared} />}
            after={<ShownValue value={after} {...shared} />}
            tone={name === 'Health factor' && after !== null ? healthRisk(after) : ''}
          />
        );
      })}
      {queueAmounts(preview).map(({ name, amount, symbol: unit }) => (
        <ChangeRow
          key={name}
          name={name}
          before={<Absent none why="An amount of this action" />}
          after={<Tokens derived value={amount} symbol={unit} />}
        />
      ))}
      {preview.fees.map(({ kind, amount }) => (
        <ChangeRow
          key={kind}
          name={feeName(kind)}
          before={<Absent none why="A fee of this action" />}
          after={<Tokens derived value={amount.amount} symbol={amount.token.symbol} />}
        />
      ))}
    </ChangeTable>
  );
}

const TONES = { INFO: 'info', WARNING: 'caution', ERROR: 'danger' } as const;

export function Warnings({ warnings }: { readonly warnings: ActionPreview['warnings'] }): ReactNode {
  return warnings.map(({ code, level, message }) => (
    <Notice key={`${code} ${message}`} tone={TONES[level]}>
      {message} <code>{code}</code>
    </Notice>
  ));
}
