import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import { purposeOf } from '../../act/loan-purpose.ts';
import { shortAddress } from '../../format/address.ts';
import { leverage } from '../../format/numbers.ts';
import { Address } from '../../ui/address.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Health } from '../../ui/health.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Badge } from '../../ui/notice.tsx';
import { Percent, ShownValue, Tokens, Usd } from '../../ui/value.tsx';
import { LoanBorrowOrders } from './loan-borrow-orders.tsx';
import { LoanOrders } from './loan-orders.tsx';
import { LoanRepayWithdraw } from './loan-repay-withdraw.tsx';
import { type LoanProps, LoanSides } from './loan-sides.tsx';
import { LoanSwap } from './loan-swap.tsx';
import { LoanTasks } from './loan-tasks.tsx';
import { LoanTerms } from './loan-terms.tsx';
import { LoanTransfer } from './loan-transfer.tsx';

const UNKNOWN = 'A price or a reserve that it depends on is unknown.';

/** A loan: how safe it is, what it earns and its deposits and debts. */
export function LoanCard({ loan, act, open, why }: LoanProps): ReactNode {
  const heading = useId();
  const { market, stats } = loan;
  const indebted = loan.borrows.length > 0;
  return (
    <article className="loan" aria-labelledby={heading}>
      <header>
        <h3 id={heading}>
          {market === null ? (
            'Unknown market'
          ) : (
            <Link href={`/markets/${market.address}`}>{market.name || shortAddress(market.address)}</Link>
          )}
        </h3>
        <Badge>{purposeOf(loan)}</Badge>
        {loan.elevationGroup !== null && <Badge>Elevation group {loan.elevationGroup.number}</Badge>}
        {loan.liquidatable === true && <Badge tone="danger">Can be liquidated</Badge>}
        <Address address={loan.address} what="loan" />
      </header>
      <div className="gauges">
        <div>
          <span>Health factor</span>
          <Health factor={loan.healthFactor} absent={why(['healthFactor'], indebted ? UNKNOWN : 'No debt')} />
          <small className="muted">Below 1 it can be liquidated</small>
        </div>
        <div>
          <span>Loan to value</span>
          {stats === null ? (
            <Percent value={null} absent={why(['stats'], UNKNOWN)} />
          ) : (
            <Meter
              label="Loan to value"
              value={stats.loanToValue}
              max={stats.liquidationLtv}
              mark={loan.maxLtv}
            />
          )}
          <small className="muted">
            Maximum <Percent value={loan.maxLtv} absent={why(['maxLtv'], UNKNOWN)} />, liquidation at{' '}
            <Percent value={stats?.liquidationLtv} absent={why(['stats'], UNKNOWN)} />
          </small>
        </div>
      </div>
      <Figures>
        <Figure
          name="Net value"
          detail={<Tokens value={loan.netValue?.sol} symbol="SOL" absent={why(['netValue'], UNKNOWN)} />}
        >
          <Usd value={loan.netValue?.usd} absent={why(['netValue'], UNKNOWN)} />
        </Figure>
        <Figure name="Profit" hint="Since the loan was last empty, at the prices of each transaction">
          <Usd
            value={loan.pnl?.usd}
            signed
            absent={why(['pnl'], 'The price at the time of a transaction was not recorded.')}
          />
        </Figure>
        <Figure name="Net APY" hint="Yield of the deposits less cost of the debts, on the net value">
          <Percent value={loan.netApy} absent={why(['netApy'], UNKNOWN)} />
        </Figure>
        <Figure name="Leverage" hint="Deposits / net value">
          <ShownValue value={stats?.leverage} show={leverage} absent={why(['stats'], UNKNOWN)} />
        </Figure>
        <Figure name="Buffer" hint="Part of the value of all collateral that can be lost before liquidation">
          <Percent
            value={loan.bufferToLiquidation}
            absent={why(['bufferToLiquidation'], indebted ? UNKNOWN : 'No debt')}
          />
        </Figure>
      </Figures>
      <LoanTerms loan={loan} />
      <LoanSides loan={loan} act={act} why={why} />
      <div className="actions">
        <LoanRepayWithdraw loan={loan} act={act} />
        <LoanSwap loan={loan} act={act} />
        <LoanOrders loan={loan} act={act} />
        <LoanBorrowOrders loan={loan} act={act} open={open} />
        <LoanTasks loan={loan} act={act} open={open} />
        <LoanTransfer loan={loan} isOwner={act !== null} open={open} />
      </div>
    </article>
  );
}
