import type { SluiceError } from '@sluice/client';
import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { health, part } from '../../format/numbers.ts';
import { RISK_WORDS } from '../../format/risk.ts';
import { absence } from '../../ui/absence.ts';
import { healthRisk, RiskBadge } from '../../ui/health.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty } from '../../ui/states.tsx';
import { Absent, Price, ShownValue, Usd } from '../../ui/value.tsx';
import { breakNotes } from './break-notes.ts';
import { loanLabel } from './loan-label.ts';
import { changedGroups, type TokenGroup } from './token-groups.ts';
import type { Loan } from './wallet-documents.ts';
import { nearestOf, outcomeText, signedPercent, supposedLoans, whyUnknown } from './what-if.ts';
import type { Supposed, WalletWhatIf } from './what-if-documents.ts';
import { isNothing, type Supposition } from './what-if-state.ts';
import { LiquidationNotice, WhatIfTable } from './what-if-table.tsx';

export interface WhatIfOutcomeProps {
  readonly wallet: WalletWhatIf;
  readonly loans: readonly Loan[];
  readonly groups: readonly TokenGroup[];
  readonly supposed: Supposition;
  readonly errors: readonly SluiceError[];
}

/** A sentence first, then the wallet now and then, then each loan behind a click. */
export function WhatIfOutcome({ wallet, loans, groups, supposed, errors }: WhatIfOutcomeProps): ReactNode {
  const { present, supposed: then } = wallet;
  if (present === null || then === null)
    return <Empty>{absence(errors, ['wallet', 'supposed'], 'The loans cannot be read.')}</Empty>;
  const states = supposedLoans(wallet);
  const named = states.flatMap((state) => {
    const loan = loans.find(({ address }) => address === state.address);
    return loan === undefined || loan.borrows.length === 0
      ? []
      : [{ ...state, name: loanLabel(loan, loans, 'short') }];
  });
  const notes = breakNotes(loans, groups);
  return (
    <>
      <Sentence wallet={{ present, supposed: then }} groups={groups} supposed={supposed} />
      <div className="list-box">
        <table className="before-after">
          <caption className="visually-hidden">The wallet now and as supposed</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">What</span>
              </th>
              <th scope="col" className="end">
                Now
              </th>
              <th scope="col" className="end">
                Then
              </th>
            </tr>
          </thead>
          <tbody>
            <Row
              name="Net value"
              cell={(side) => (
                <Usd
                  value={side === 'now' ? present.after.netValueUsd : then.after.netValueUsd}
                  absent="A token has no price."
                />
              )}
            />
            {named.map(({ address, name, present: now, supposed: later }) => (
              <Row
                key={address}
                name={`Health, ${name}`}
                cell={(side) => <HealthOf state={side === 'now' ? now : later} />}
              />
            ))}
            <Row
              name="Nearest liquidation"
              cell={(side) => (
                <Nearest states={states.map((state) => (side === 'now' ? state.present : state.supposed))} />
              )}
            />
            <Row
              name="Can be liquidated"
              cell={(side) =>
                liquidatableText(states.map((state) => (side === 'now' ? state.present : state.supposed)))
              }
            />
          </tbody>
        </table>
      </div>
      {states.map(({ address, supposed: later }) => (
        <LiquidationNotice key={address} supposed={later} />
      ))}
      {notes.length > 0 && (
        <p className="break-note">
          <Icon name="info" />
          <span>{notes.join(' ')}</span>
        </p>
      )}
      {named.length > 0 && (
        <details className="more">
          <summary>Each loan, now and then</summary>
          {named.map(({ address, name, present: now, supposed: later }) => (
            <WhatIfTable key={address} name={name} present={now} supposed={later} />
          ))}
        </details>
      )}
    </>
  );
}

type When = 'now' | 'then';

interface RowProps {
  readonly name: string;
  readonly cell: (side: When) => ReactNode;
}

function Row({ name, cell }: RowProps): ReactNode {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="end">{cell('now')}</td>
      <td className="end">{cell('then')}</td>
    </tr>
  );
}

/** Where a loan is not safe, the word stands beside the colour. */
function HealthOf({ state }: { readonly state: Supposed }): ReactNode {
  const { healthFactor, unknown } = state;
  const value = (
    <ShownValue value={healthFactor} show={health} absent={whyUnknown(state)} none={unknown === null} />
  );
  const risk = healthFactor === null ? 'safe' : healthRisk(healthFactor);
  if (risk === 'safe') return value;
  return (
    <RiskBadge risk={risk}>
      {RISK_WORDS[risk]}, {value}
    </RiskBadge>
  );
}

function Nearest({ states }: { readonly states: readonly Supposed[] }): ReactNode {
  const nearest = nearestOf(states);
  if (nearest === null) return <Absent why="No loan has a debt." none />;
  return nearest.isZero || nearest.isNegative ? (
    'Now'
  ) : (
    <ShownValue derived value={nearest.toString()} show={part} />
  );
}

function liquidatableText(states: readonly Supposed[]): string {
  const count = states.filter(({ liquidatable }) => liquidatable === true).length;
  return count === 0 ? 'None' : `${count} of ${states.length}`;
}

interface SentenceProps {
  readonly wallet: { readonly [Side in 'present' | 'supposed']: NonNullable<WalletWhatIf[Side]> };
  readonly groups: readonly TokenGroup[];
  readonly supposed: Supposition;
}

/** "If SOL falls 20% to $130.70, both loans stay safe. Your net value falls by $6,199." */
function Sentence({ wallet: { present, supposed: then }, groups, supposed }: SentenceProps): ReactNode {
  if (isNothing(supposed))
    return (
      <p className="said-first">
        Move a price, or add days of interest, to see what that does to your loans.
      </p>
    );
  const outcome = outcomeText(then.obligations);
  const [before, after] = [present.after.netValueUsd, then.after.netValueUsd];
  const difference = before === null || after === null ? null : Decimal.of(after).minus(Decimal.of(before));
  const moved = changedGroups(groups, supposed.changes);
  return (
    <p className="said-first" aria-live="polite">
      {moved.length > 0 && 'If '}
      {moved.map((group, index) => (
        <span key={group.key}>
          {index > 0 && (index === moved.length - 1 ? ' and ' : ', ')}
          <Moved group={group} change={supposed.changes[group.key] ?? 0} />
        </span>
      ))}
      {moved.length > 0 ? ', ' : ''}
      {supposed.days > 0 &&
        `${moved.length > 0 ? 'after' : 'After'} ${supposed.days} ${supposed.days === 1 ? 'day' : 'days'} of interest, `}
      {outcome === null ? (
        'your loans cannot be judged, because a price is not known'
      ) : (
        <>
          {outcome.subject} <strong>{outcome.state}</strong>
        </>
      )}
      .{' '}
      {difference !== null && !difference.isZero && (
        <>
          Your net value {difference.isNegative ? 'falls' : 'rises'} by{' '}
          <strong>
            <Usd derived value={difference.abs().toString()} />
          </strong>
          .
        </>
      )}
    </p>
  );
}

const HUNDRED = Decimal.of('100');

function Moved({ group, change }: { readonly group: TokenGroup; readonly change: number }): ReactNode {
  const to =
    group.leadUsd === null
      ? null
      : Decimal.of(group.leadUsd)
          .times(HUNDRED.plus(Decimal.of(String(change))))
          .dividedBy(HUNDRED, 12);
  return (
    <>
      {group.lead} {change < 0 ? 'falls' : 'rises'} {signedPercent(Math.abs(change)).replace('+', '')}
      {to !== null && (
        <>
          {' '}
          to{' '}
          <strong>
            <Price derived value={to.toString()} />
          </strong>
        </>
      )}
    </>
  );
}
