import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import { purposeOf } from '../../act/loan-purpose.ts';
import { shortAddress } from '../../format/address.ts';
import { health, leverage } from '../../format/numbers.ts';
import { RISK_WORDS } from '../../format/risk.ts';
import { Address } from '../../ui/address.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { healthRisk, RiskBadge } from '../../ui/health.tsx';
import { Badge } from '../../ui/notice.tsx';
import { Absent, Part, Percent, ShownValue, Tokens, Usd } from '../../ui/value.tsx';
import { LoanBorrowOrders } from './loan-borrow-orders.tsx';
import { BreaksWhen, LoanHalves } from './loan-halves.tsx';
import { loanLabel } from './loan-label.ts';
import { LoanOrders } from './loan-orders.tsx';
import { LoanRepayWithdraw } from './loan-repay-withdraw.tsx';
import { type LoanProps, LoanSides } from './loan-sides.tsx';
import { LoanSwap } from './loan-swap.tsx';
import { LoanTasks } from './loan-tasks.tsx';
import { LoanTerms } from './loan-terms.tsx';
import { LoanTransfer } from './loan-transfer.tsx';
import type { TokenGroup } from './token-groups.ts';
import type { Loan } from './wallet-documents.ts';

const UNKNOWN = 'A price or a reserve that it depends on is unknown.';

export interface LoanCardProps extends LoanProps {
  /** All loans of the wallet. */
  readonly loans: readonly Loan[];
  readonly groups: readonly TokenGroup[];
}

/** A loan: what was put in, what is owed and what breaks it; everything else about it behind a click. */
export function LoanCard({ loan, loans, groups, act, open, why }: LoanCardProps): ReactNode {
  const heading = useId();
  const { stats, netApy } = loan;
  const costs = netApy !== null && netApy.startsWith('-');
  return (
    <article className="panel loan" aria-labelledby={heading}>
      <header>
        <h3 id={heading}>{loanLabel(loan, loans)}</h3>
        <LoanHealth loan={loan} why={why} />
      </header>
      <p className="sub loan-place">
        <span>
          {purposeOf(loan)} in <MarketLink loan={loan} />
          {stats !== null && loan.tag !== 'VANILLA' && (
            <>
              {' '}
              at <ShownValue value={stats.leverage} show={leverage} />
            </>
          )}
        </span>
        {loan.elevationGroup !== null && <Badge>Elevation group {loan.elevationGroup.number}</Badge>}
        <Address address={loan.address} what="loan" />
      </p>
      <LoanHalves loan={loan} why={why} />
      <hr className="rule" />
      <Figures>
        <Figure name="Worth" detail="after the debt">
          <Usd value={loan.netValue?.usd} absent={why(['netValue'], UNKNOWN)} />
        </Figure>
        <Figure
          name="Loan to value"
          detail={
            <>
              liquidated at <Part value={stats?.liquidationLtv} absent={why(['stats'], UNKNOWN)} />
            </>
          }
        >
          <Part value={stats?.loanToValue} absent={why(['stats'], UNKNOWN)} />
        </Figure>
        <BreaksWhen loan={loan} groups={groups} />
        <Figure name={costs ? 'Costs you' : 'Earns you'} detail="a year, on its worth">
          <Percent value={netApy} absent={why(['netApy'], UNKNOWN)} />
        </Figure>
      </Figures>
      <LoanTerms loan={loan} />
      {loan.ownershipTransfer !== null && (
        <div className="actions">
          <LoanTransfer loan={loan} isOwner={act !== null} open={open} />
        </div>
      )}
      <details className="more">
        <summary>
          Everything about this loan<span className="visually-hidden">, {loanLabel(loan, loans)}</span>
        </summary>
        <div className="loan-rest">
          <MoreFigures loan={loan} why={why} />
          <LoanSides loan={loan} act={act} why={why} />
          <div className="actions">
            <LoanRepayWithdraw loan={loan} act={act} />
            <LoanSwap loan={loan} act={act} />
            <LoanOrders loan={loan} act={act} />
            <LoanBorrowOrders loan={loan} act={act} open={open} />
            <LoanTasks loan={loan} act={act} open={open} />
            {loan.ownershipTransfer === null && (
              <LoanTransfer loan={loan} isOwner={act !== null} open={open} />
            )}
          </div>
        </div>
      </details>
    </article>
  );
}

/** One scale for all loans: 1.12 is caution, wherever it is shown. */
function LoanHealth({ loan, why }: Pick<LoanProps, 'loan' | 'why'>): ReactNode {
  const { healthFactor, liquidatable, borrows } = loan;
  if (healthFactor === null)
    return borrows.length === 0 ? (
      <Badge>No debt</Badge>
    ) : (
      <span className="sub">
        Health <Absent why={why(['healthFactor'], UNKNOWN)} />
      </span>
    );
  const risk = healthRisk(healthFactor);
  return (
    <span className="loan-health">
      {liquidatable === true && <Badge tone="danger">Can be liquidated</Badge>}
      <RiskBadge risk={risk}>
        {RISK_WORDS[risk]}, health <ShownValue value={healthFactor} show={health} />
      </RiskBadge>
    </span>
  );
}

function MarketLink({ loan: { market } }: Pick<LoanProps, 'loan'>): ReactNode {
  if (market === null) return 'a market that cannot be read';
  return <Link href={`/markets/${market.address}`}>{market.name || shortAddress(market.address)}</Link>;
}

function MoreFigures({ loan, why }: Pick<LoanProps, 'loan' | 'why'>): ReactNode {
  const { stats, borrows } = loan;
  return (
    <Figures>
      <Figure name="Worth in SOL">
        <Tokens value={loan.netValue?.sol} symbol="SOL" absent={why(['netValue'], UNKNOWN)} />
      </Figure>
      <Figure name="Profit" hint="Since the loan was last empty, at the prices of each transaction">
        <Usd
          value={loan.pnl?.usd}
          signed
          absent={why(['pnl'], 'The price at the time of a transaction was not recorded.')}
        />
      </Figure>
      <Figure name="Leverage" hint="Deposits / net value">
        <ShownValue value={stats?.leverage} show={leverage} absent={why(['stats'], UNKNOWN)} />
      </Figure>
      <Figure name="Can be borrowed up to" hint="Largest loan to value at which the market lends">
        <Part value={loan.maxLtv} absent={why(['maxLtv'], UNKNOWN)} />
      </Figure>
      <Figure
        name="Away from liquidation"
        hint="Part of the value of all collateral that can be lost before liquidation"
      >
        <Part
          value={loan.bufferToLiquidation}
          none={borrows.length === 0}
          absent={why(['bufferToLiquidation'], borrows.length === 0 ? 'No debt' : UNKNOWN)}
        />
      </Figure>
    </Figures>
  );
}
