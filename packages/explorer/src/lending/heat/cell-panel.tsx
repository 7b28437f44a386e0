import { Decimal } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { shortAddress } from '../../format/address.ts';
import { absence } from '../../ui/absence.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { largestOf } from '../../ui/currency.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { Count, Usd } from '../../ui/value.tsx';
import { loanNameByReserves } from '../loan-name.ts';
import { CELL_LOANS, type CellLoan, type CellRisk } from './heat-documents.ts';
import { changeText, shockOf } from './heat-shocks.ts';
import type { Chosen } from './heat-state.ts';

const FEW = 5;
/** Beyond these a reader asks the API. */
const MOST = 200;

export interface CellPanelProps {
  readonly market: string;
  readonly cell: Chosen;
  readonly all: boolean;
  readonly onAll: (all: boolean) => void;
}

/** The loans of a cell of the heat map, the largest first. */
export function CellPanel({ market, cell: { row, change }, all, onAll }: CellPanelProps): ReactNode {
  const variables = useMemo(
    () => ({ address: market, shocks: [shockOf(row, change)], first: all ? MOST : FEW }),
    [market, row, change, all],
  );
  const result = useSluiceQuery(CELL_LOANS, variables, { refetchMs: 60_000 });
  const errors = result.data?.errors ?? [];
  return (
    <Panel
      title={`${row.name} ${changeText(change)}`}
      document={CELL_LOANS}
      variables={variables}
      result={result}
      controls={<CopyButton label="Share" text={() => location.href} />}
    >
      {({ market: read }) => {
        const risk = read?.risk ?? null;
        return risk === null ? (
          <Empty>{absence(errors, ['market', 'risk'], 'The loans of this market cannot be read.')}</Empty>
        ) : (
          <CellLoans risk={risk} all={all} onAll={onAll} />
        );
      }}
    </Panel>
  );
}

interface CellLoansProps {
  readonly risk: CellRisk;
  readonly all: boolean;
  readonly onAll: (all: boolean) => void;
}

function CellLoans({ risk: { now, shocks }, all, onAll }: CellLoansProps): ReactNode {
  const [scenario] = shocks;
  if (scenario === undefined) return null;
  const { atRisk, loansAtRisk } = scenario;
  const largest = largestOf(loansAtRisk.map(({ debtUsd }) => debtUsd));
  return (
    <>
      <dl className="pair">
        <dt>Can be liquidated</dt>
        <dd>
          <Usd value={atRisk.debtUsd} />
        </dd>
        <dt>of it bad debt</dt>
        <dd>{Decimal.of(atRisk.badDebtUsd).isZero ? 'None' : <Usd value={atRisk.badDebtUsd} />}</dd>
        <dt>Loans</dt>
        <dd>
          <Count value={String(atRisk.loans)} />{' '}
          <span className="muted">
            (<Count value={String(now.atRisk.loans)} /> today)
          </span>
        </dd>
      </dl>
      {loansAtRisk.length === 0 ? (
        <Empty>No loan could be liquidated.</Empty>
      ) : (
        <ul className="cell-loans" aria-label="Loans of the cell, largest debt first">
          {loansAtRisk.map((loan) => (
            <LoanLine key={loan.obligation} loan={loan} largest={largest} />
          ))}
        </ul>
      )}
      {!all && atRisk.loans > loansAtRisk.length && (
        <button type="button" className="wide" onClick={() => onAll(true)}>
          All {atRisk.loans} loans
        </button>
      )}
      {all && atRisk.loans > FEW && (
        <button type="button" className="wide" onClick={() => onAll(false)}>
          Only the largest {FEW}
        </button>
      )}
      {all && atRisk.loans > loansAtRisk.length && (
        <p className="sub">The largest {loansAtRisk.length} are listed.</p>
      )}
    </>
  );
}

interface LoanLineProps {
  readonly loan: CellLoan;
  /** All lines have the precision of the largest. */
  readonly largest: Decimal | undefined;
}

function LoanLine({ loan, largest }: LoanLineProps): ReactNode {
  const { obligation, owner, deposits, debts, debtUsd, badDebtUsd, reason } = loan;
  return (
    <li>
      <span>
        <Link href={`/wallet/${owner}`} className="mono" title={`Loan ${obligation} of ${owner}`}>
          {shortAddress(obligation)}
        </Link>
        <span className="line2">{loanNameByReserves(deposits, debts)}</span>
      </span>
      <span className="end">
        <Usd value={debtUsd} largest={largest} />
        <span className="line2">
          {Decimal.of(badDebtUsd).isZero ? (
            'covered'
          ) : (
            <>
              bad <Usd value={badDebtUsd} largest={largest} />
            </>
          )}
          {reason === null && ', nothing to seize'}
        </span>
      </span>
    </li>
  );
}
