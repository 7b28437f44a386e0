import type { ReactNode } from 'react';
import { ChangeRow, ChangeTable } from '../../ui/change-table.tsx';
import { healthRisk } from '../../ui/health.tsx';
import { Badge, Notice } from '../../ui/notice.tsx';
import { Absent, Percent, ShownValue, Tokens, Usd } from '../../ui/value.tsx';
import { whatIfRows, whyUnknown } from './what-if.ts';
import type { Supposed } from './what-if-documents.ts';

export interface WhatIfTableProps {
  /** Of the loan. */
  readonly name: string;
  readonly present: Supposed;
  readonly supposed: Supposed;
}

const WHY: Readonly<Record<NonNullable<Supposed['liquidation']>['reason'], string>> = {
  UNHEALTHY: 'The debt has reached its limit.',
  MATURITY: 'The reserve of a debt has matured.',
  TERM: 'The term of a debt has ended.',
};

/** A loan now and as supposed, in full. */
export function WhatIfTable({ name: loan, present, supposed }: WhatIfTableProps): ReactNode {
  return (
    <div className="preview">
      <ChangeTable caption={`The loan ${loan} now and as supposed`} heads={[loan, 'Now', 'Then']}>
        {whatIfRows(present, supposed).map(({ name, before, after, show }) => (
          <ChangeRow
            key={name}
            name={name}
            before={<ShownValue value={before} show={show} absent={whyUnknown(present)} />}
            after={<ShownValue value={after} show={show} absent={whyUnknown(supposed)} />}
            tone={name === 'Health factor' && after !== null ? healthRisk(after) : ''}
          />
        ))}
        <ChangeRow name="Can be liquidated" before={<YesNo of={present} />} after={<YesNo of={supposed} />} />
      </ChangeTable>
    </div>
  );
}

/** What a liquidator could do then. Nothing while none can act. */
export function LiquidationNotice({
  supposed: { liquidation },
}: Pick<WhatIfTableProps, 'supposed'>): ReactNode {
  if (liquidation === null) return null;
  return (
    <Notice tone="caution" title="A liquidator could act at once.">
      {WHY[liquidation.reason]} Repaying <Amount of={liquidation.repaid} />, it would take{' '}
      <Amount of={liquidation.seized} />, with a bonus of <Percent value={liquidation.bonus} /> before the
      protocol’s fee.
    </Notice>
  );
}

function YesNo({ of }: { readonly of: Supposed }): ReactNode {
  if (of.liquidatable === null) return <Absent why={whyUnknown(of)} />;
  return of.liquidatable ? <Badge tone="danger">Yes</Badge> : 'No';
}

function Amount({ of }: { readonly of: NonNullable<Supposed['liquidation']>['repaid'] }): ReactNode {
  if (of === null) return <Absent why="A reserve cannot be read." />;
  return (
    <>
      <Tokens value={of.amount} symbol={of.token.symbol} /> (
      <Usd value={of.usd} absent="No price is known." />)
    </>
  );
}
