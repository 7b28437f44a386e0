import type { ReactNode } from 'react';
import { Time } from '../../ui/time.tsx';
import { Percent } from '../../ui/value.tsx';
import type { ReserveDetail } from './reserve-documents.ts';

type Terms = ReserveDetail['terms'];

const DAY_SECONDS = 86_400;
const days = (seconds: string) => `${Number(seconds) / DAY_SECONDS} days`;

/** Rate and end of the debts to the reserve, as rows of a list of facts. */
export function ReserveTerms({ terms }: { readonly terms: Terms }): ReactNode {
  const { rate, termSeconds, maturesAt, rolloverWindowSeconds, penaltyOfNewDebt } = terms;
  return (
    <>
      <dt title="Whether the rate of a debt depends on utilization">Borrow rate</dt>
      <dd>{rate === 'FIXED' ? 'Fixed' : 'Floating with utilization'}</dd>
      <dt title="When a debt to this reserve ends">Term</dt>
      <dd>
        {termSeconds === null ? 'Open: until it is repaid' : `${days(termSeconds)} from the last borrow`}
        {maturesAt !== null && (
          <>
            , at the latest <Time value={maturesAt} />
          </>
        )}
      </dd>
      {termSeconds !== null && (
        <>
          <dt title="Part of a new debt that repaying it at once costs; it falls to nothing until the end">
            Early repayment penalty
          </dt>
          <dd>
            {penaltyOfNewDebt === '0' ? (
              'None'
            ) : (
              <>
                At most <Percent value={penaltyOfNewDebt} /> of the debt
              </>
            )}
          </dd>
          <dt title="Time before the end of a term in which it can be rolled over to another fixed term">
            Rollover
          </dt>
          <dd>
            {rolloverWindowSeconds === null
              ? 'Switched off by the market'
              : `In the last ${days(rolloverWindowSeconds)} of a term`}
          </dd>
        </>
      )}
      {(termSeconds !== null || maturesAt !== null) && (
        <>
          <dt title="What others may do with a debt that has ended">After the end</dt>
          <dd>
            {isLiquidated(terms)
              ? 'Anyone may liquidate the debt, however healthy the loan is'
              : 'Nothing more can be borrowed on the debt; it goes on'}
          </dd>
        </>
      )}
    </>
  );
}

const isLiquidated = ({ termSeconds, liquidatedAfterTerm, liquidatedAfterMaturity }: Terms): boolean =>
  termSeconds === null ? liquidatedAfterMaturity === true : liquidatedAfterTerm === true;
