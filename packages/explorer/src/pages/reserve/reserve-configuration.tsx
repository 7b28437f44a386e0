import type { ReactNode } from 'react';
import { ReserveLinks } from '../../lending/reserve-link.tsx';
import { NO_PRICE, STATUS_WORDS } from '../../lending/words.ts';
import { Part, Percent, Plain, Tokens, Usd } from '../../ui/value.tsx';
import type { ReserveDetail } from './reserve-documents.ts';
import { ReserveTerms } from './reserve-terms.tsx';

/** Terms of the reserve outside elevation groups. */
export function ReserveConfiguration({ reserve }: { readonly reserve: ReserveDetail }): ReactNode {
  const { risk, fees, status, token, acceptedCollateral } = reserve;
  const word = STATUS_WORDS[status];
  return (
    <dl className="facts">
      <dt>Status</dt>
      <dd>{word === null ? 'Active' : `${word.name}: ${word.why.toLowerCase()}`}</dd>
      <ReserveTerms terms={reserve.terms} />
      <dt title="Part of the value of a deposit that can be borrowed">Maximum LTV</dt>
      <dd>
        <Part whole value={risk.maxLtv} />
      </dd>
      <dt title="Part of the value of a deposit at which the debt can be liquidated">
        Liquidation threshold
      </dt>
      <dd>
        <Part whole value={risk.liquidationLtv} />
      </dd>
      <dt title="What a liquidator gains on top of the debt that it repays">Liquidation bonus</dt>
      <dd>
        <Percent value={risk.minLiquidationBonus} /> to <Percent value={risk.maxLiquidationBonus} />
      </dd>
      <dt title="A debt is multiplied by it before it is compared with the limits of a loan">
        Borrow factor
      </dt>
      <dd>
        <Plain value={risk.borrowFactor} />
      </dd>
      <dt title="Part of the interest that the protocol takes">Protocol take</dt>
      <dd>
        <Part whole value={fees.protocolTake} />
      </dd>
      <dt title="Rate per year for the host, on top of the borrow curve">Host rate</dt>
      <dd>
        <Percent value={fees.hostFixedRate} />
      </dd>
      <dt title="Charged on top of a borrowed amount">Origination fee</dt>
      <dd>
        <Percent value={fees.origination} />
      </dd>
      <dt>Flash loan fee</dt>
      <dd>
        {fees.flashLoan === null ? (
          <span className="muted">Disabled</span>
        ) : (
          <Percent value={fees.flashLoan} />
        )}
      </dd>
      <dt title="Protocol fees that are earned but not yet withdrawn">Fees to withdraw</dt>
      <dd>
        <Tokens value={fees.accumulatedProtocol.amount} symbol={token.symbol} />{' '}
        <small>
          <Usd value={fees.accumulatedProtocol.usd} absent={NO_PRICE} />
        </small>
      </dd>
      <dt title="Reserves against which this one can be borrowed now">Accepted collateral</dt>
      <dd>
        {acceptedCollateral.length === 0 ? (
          <span className="muted">None: it lends nothing now</span>
        ) : (
          <ReserveLinks reserves={acceptedCollateral} />
        )}
      </dd>
    </dl>
  );
}
