import type { ActionPreview } from '@sluice/client';
import type { PreviewState } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { ChangeRow, ChangeTable } from '../ui/change-table.tsx';
import { Percent, Tokens } from '../ui/value.tsx';
import { Effects } from './effects.tsx';
import { PreviewSection } from './preview-section.tsx';

export interface SwapPreviewProps {
  readonly state: PreviewState;
  /** Symbol of the collateral that pays for a repayment. */
  readonly collateral: string;
  readonly symbolOf: (reserve: string) => string | undefined;
}

/** The quote, the positions before and after, and what it means for the loan. */
export function SwapPreview({ state, collateral, symbolOf }: SwapPreviewProps): ReactNode {
  return (
    <PreviewSection state={state} missing="Enter an amount to get a quote.">
      {(preview) => (
        <>
          <QuoteSentence quote={preview.quote} />
          <Positions positions={preview.positions} symbolOf={symbolOf} />
          <Effects preview={preview} verb="withdraw" symbol={collateral} />
        </>
      )}
    </PreviewSection>
  );
}

export function QuoteSentence({ quote }: { readonly quote: ActionPreview['quote'] }): ReactNode {
  if (quote === null) return null;
  const { sold, guaranteed, priceImpact } = quote;
  return (
    <p>
      Swaps <Tokens derived value={sold.amount} symbol={sold.token.symbol} /> for at least{' '}
      <Tokens derived value={guaranteed.amount} symbol={guaranteed.token.symbol} />. Loss against the oracle
      before slippage: <Percent derived value={priceImpact} />.
    </p>
  );
}

interface PositionsProps {
  readonly positions: ActionPreview['positions'];
  readonly symbolOf: SwapPreviewProps['symbolOf'];
}

export function Positions({ positions, symbolOf }: PositionsProps): ReactNode {
  if (positions.length === 0) return null;
  return (
    <ChangeTable caption="Positions before and after" heads={['Position', 'Before', 'After']}>
      {positions.map(({ reserve, side, tokens }) => {
        const unit = symbolOf(reserve) ?? 'tokens';
        return (
          <ChangeRow
            key={`${side} ${reserve}`}
            name={`${side === 'DEBT' ? 'Debt' : 'Deposit'} in ${unit}`}
            before={<Tokens derived value={tokens.before} symbol={unit} />}
            after={<Tokens derived value={tokens.after} symbol={unit} />}
          />
        );
      })}
    </ChangeTable>
  );
}
