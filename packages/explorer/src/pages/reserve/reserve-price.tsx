import type { ReactNode } from 'react';
import { ageBetween } from '../../lending/age.ts';
import { FAILED_CHECKS, NO_PRICE, PRICE_SOURCES } from '../../lending/words.ts';
import { Badge } from '../../ui/notice.tsx';
import { Absent, Price } from '../../ui/value.tsx';
import type { ReserveDetail } from './reserve-documents.ts';

export interface ReservePriceProps {
  readonly price: ReserveDetail['price'];
  /** Time of the slot that the price was read at. Null when unknown. */
  readonly blockTime: string | null;
}

/** The price that all values use, where it comes from, and whether the lending program accepts it. */
export function ReservePrice({ price, blockTime }: ReservePriceProps): ReactNode {
  if (price === null) return <Absent why={NO_PRICE} />;
  return (
    <span className="links">
      <b>
        <Price value={price.usd} />
      </b>
      <span className="muted">
        {PRICE_SOURCES[price.source]}
        {price.asOf !== null && (
          <>
            ,{' '}
            <time dateTime={price.asOf} title={price.asOf}>
              {blockTime === null ? price.asOf : `${ageBetween(price.asOf, blockTime)} old`}
            </time>
          </>
        )}
      </span>
      {price.stale && <Badge tone="caution">Stale</Badge>}
      <Checks failed={price.failedChecks} />
    </span>
  );
}

function Checks({
  failed,
}: {
  readonly failed: NonNullable<ReserveDetail['price']>['failedChecks'];
}): ReactNode {
  if (failed === null)
    return (
      <span title="No oracle can be read, so the outcome of a refresh is unknown">
        <Badge tone="caution">Not checked</Badge>
      </span>
    );
  if (failed.length === 0)
    return (
      <span title="The price passes all checks of the lending program">
        <Badge tone="safe">Accepted</Badge>
      </span>
    );
  return (
    <span title="While a check fails, nothing can be borrowed, and nothing be withdrawn from a loan with debt">
      <Badge tone="danger">Refused: {failed.map((check) => FAILED_CHECKS[check]).join(', ')}</Badge>
    </span>
  );
}
