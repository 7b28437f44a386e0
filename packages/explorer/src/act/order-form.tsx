import type { Action, ActionPreview } from '@sluice/client';
import type { ReactNode } from 'react';
import { ActionForm } from './action-form.tsx';
import { PreviewSection } from './preview-section.tsx';
import type { ActWallet } from './wallet-context.tsx';

export interface OrderFormProps {
  /** Null while something is missing. */
  readonly action: Action | null;
  readonly wallet: ActWallet;
  readonly name: string;
  /** Tells what to enter. */
  readonly missing: string;
  readonly children: ReactNode;
}

/** Previews an order in its own words, and sends it. */
export function OrderForm({ missing, children, ...form }: OrderFormProps): ReactNode {
  return (
    <ActionForm
      {...form}
      previewed={(state) => (
        <PreviewSection state={state} missing={missing}>
          {({ order, borrowOrder }) => (
            <>
              <OrderSentences order={order} />
              <BorrowOrderSentences order={borrowOrder} />
            </>
          )}
        </PreviewSection>
      )}
    >
      {children}
    </ActionForm>
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
  const text = after ?? before;
  const fitting = reserves.length === 1 ? '1 reserve meets' : `${reserves.length} reserves meet`;
  return (
    <>
      {text !== null && <p>{text}</p>}
      {after !== null && <p className="muted">{fitting} its terms now.</p>}
    </>
  );
}
