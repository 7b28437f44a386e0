import type { ReactNode } from 'react';
import { ChangeRow, ChangeTable } from '../../ui/change-table.tsx';
import { healthTone } from '../../ui/health.tsx';
import { Badge, Notice } from '../../ui/notice.tsx';
import { Absent, Percent, Usd, Value } from '../../ui/value.tsx';
import { whatIfRows, whyUnknown } from './what-if.ts';
import type { Supposed } from './what-if-documents.ts';

export interface WhatIfTableProps {
  readonly present: Supposed;
  readonly supposed: Supposed;
}

const WHY: Readonly<Record<NonNullable<Supposed['liquidation']>['reason'], string>> = {
  UNHEALTHY: 'The debt has reached its limit.',
  MATURITY: 'The reserve of a debt has matured.',
  TERM: 'The term of a debt has ended.',
};

/** The loan now and as supposed, and what a liquidator could do then. */
export function WhatIfTable({ present, supposed }: WhatIfTableProps): ReactNode {
  const { liquidation } = supposed;
  return (
    <>
      <div className="preview">
        <ChangeTable caption="The loan now and as supposed" heads={['Loan', 'Now', 'Then']}>
          {whatIfRows(present, supposed).map(({ name, before, after, format }) => (
            <ChangeRow
              key={name}
              name={name}
              before={<Value value={before} {...format} absent={whyUnknown(present)} />}
              after={<Value value={after} {...format} absent={whyUnknown(supposed)} />}
              tone={name === 'Health factor' && after !== null ? healthTone(after) : ''}
            />
          ))}
          <ChangeRow
            name="Can be liquidated"
            before={<YesNo of={present} />}
            after={<YesNo of={supposed} />}
          />
        </ChangeTable>
      </div>
      {liquidation !== null && (
        <Notice tone="warn" title="A liquidator could act at once.">
          {WHY[liquidation.reason]} Repaying <Amount of={liquidation.repaid} />, it would take{' '}
          <Amount of={liquidation.seized} />, with a bonus of <Percent value={liquidation.bonus} /> before the
          protocol’s fee.
        </Notice>
      )}
    </>
  );
}

function YesNo({ of }: { readonly of: Supposed }): ReactNode {
  if (of.liquidatable === null) return <Absent why={whyUnknown(of)} />;
  return of.liquidatable ? <Badge tone="bad">Yes</Badge> : 'No';
}

function Amount({ of }: { readonly of: NonNullable<Supposed['liquidation']>['repaid'] }): ReactNode {
  if (of === null) return <Absent why="A reserve cannot be read." />;
  return (
    <>
      <Value value={of.amount} unit={of.token.symbol} places={4} /> (
      <Usd value={of.usd} absent="No price is known." />)
    </>
  );
}
