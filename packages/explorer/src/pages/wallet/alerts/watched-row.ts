import type { ReactNode } from 'react';
import type { Risk } from '../../../format/risk.ts';

/** An order of a loan, or an alert. */
export interface WatchedRow {
  readonly key: string;
  readonly kind: 'order' | 'alert';
  readonly title: string;
  readonly detail: string;
  readonly does: ReactNode;
  readonly state: { readonly risk: Risk | null; readonly words: string; readonly more?: string };
  readonly action: ReactNode;
}
