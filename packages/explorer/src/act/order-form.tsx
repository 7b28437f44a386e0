import type { Action, ActionPreview } from '@sluice/client';
import type { PreviewState } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { Failure } from '../ui/states.tsx';
import { ActionForm } from './action-form.tsx';
import { Warnings } from './effects.tsx';
import type { ActWallet } from './wallet-context.tsx';

export interface OrderFormProps {
  /** Null while something is missing. */
  readonly action: Action | null;
  readonly wallet: ActWallet;
  readonly name: string;
  /** What is still to be entered. */
  readonly missing: string;
  readonly children: ReactNode;
}

/** Previews an order in its own words, and sends it. */
export function OrderForm({ missing, children, ...form }: OrderFormProps): ReactNode {
  return (
    <ActionForm {...form} previewed={(state) => <OrderPreview state={state} missing={missing} />}>
      {children}
    </ActionForm>
  );
}

interface OrderPreviewProps {
  readonly state: PreviewState;
  readonly missing: string;
}

function OrderPreview({ state, missing }: OrderPreviewProps): ReactNode {
  const { preview } = state;
  if (state.status === 'none') return <p className="muted">{missing}</p>;
  return (
    <section className="preview" aria-label="Preview" aria-busy={state.status === 'pending'}>
      {state.status === 'failed' && <Failure error={state.error} />}
      {preview !== null && (
        <div className={state.status === 'ready' ? undefined : 'outdated'}>
          <OrderSentences order={preview.order} />
          <BorrowOrderSentences order={preview.borrowOrder} />
          <Warnings warnings={preview.warnings} />
        </div>
      )}
    </section>
  );
}

function OrderSentences({ order }: { readonly order: ActionPreview['order'] }): ReactNode {
  if (order === null) return null;
  const { before, after, trigger } = order;
  return (
    <>
      <p>{after ?? before}</p>
      {trigger !== null && <p className="muted">{trigger}</p>}
    </>
  );
}

function BorrowOrderSentences({ order }: { readonly order: ActionPreview['borrowOrder'] }): ReactNode {
  if (order === null) return null;
  const { before, after, reserves } = order;
  const fitting = reserves.length === 1 ? '1 reserve meets' : `${reserves.length} reserves meet`;
  return (
    <>
      <p>{after ?? before}</p>
      {after !== null && <p className="muted">{fitting} its terms now.</p>}
    </>
  );
}
