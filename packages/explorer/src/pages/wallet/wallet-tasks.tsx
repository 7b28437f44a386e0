import { Decimal } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import type { ActPanelProps } from '../../act/act-panel.tsx';
import { health } from '../../format/numbers.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Percent, ShownValue, Tokens, Usd } from '../../ui/value.tsx';
import { loanLabel } from './loan-label.ts';
import { swapTarget } from './loan-swap.tsx';
import { leverageOf } from './loan-tasks.tsx';
import {
  cheaperDebt,
  collateralOf,
  loanToChange,
  loanToLeave,
  loanToProtect,
  SAFE_HEALTH,
  type Subject,
} from './task-choice.ts';
import { type TaskNumbers, WALLET_TASKS } from './task-documents.ts';
import type { TokenGroup } from './token-groups.ts';
import type { ActingProps } from './vault-positions.tsx';
import type { Loan } from './wallet-documents.ts';

export interface WalletTasksProps {
  readonly loans: readonly Loan[];
  readonly groups: readonly TokenGroup[];
  /** Opens a form. Null for the wallet of another: it then says what could be done. */
  readonly act: ActingProps['act'];
}

/** The highest health that can be asked for: it takes the whole debt. */
const WHOLE_DEBT = '1000000';

/** What one can do about the loans, in plain words, with what it does in numbers. */
export function WalletTasks({ loans, groups, act }: WalletTasksProps): ReactNode {
  const leave = loanToLeave(loans);
  const protect = loanToProtect(loans, leave);
  const change = loanToChange(loans, groups);
  const any = protect ?? leave ?? change;
  const collateral = leave === null ? undefined : collateralOf(leave);
  const other = any?.debt.reserveAddress ?? '';
  const variables = {
    protect: (protect ?? any)?.loan.address ?? '',
    protectDebt: (protect ?? any)?.debt.reserveAddress ?? '',
    target: SAFE_HEALTH,
    leave: (leave ?? any)?.loan.address ?? '',
    leaveDebt: (leave ?? any)?.debt.reserveAddress ?? '',
    leaveDeposit: collateral?.reserveAddress ?? other,
    all: WHOLE_DEBT,
    market: (change ?? any)?.loan.market?.address ?? '',
  };
  const result = useSluiceQuery(WALLET_TASKS, variables, { enabled: any !== null, refetchMs: 60_000 });
  if (any === null) return null;
  return (
    <Panel title="What would you like to do?" document={WALLET_TASKS} variables={variables} result={result}>
      {(numbers) => (
        <div className="tasks">
          {protect !== null && <Protect subject={protect} loans={loans} numbers={numbers} act={act} />}
          {leave !== null && <Leave subject={leave} loans={loans} numbers={numbers} act={act} />}
          {change !== null && <Change subject={change} loans={loans} numbers={numbers} act={act} />}
        </div>
      )}
    </Panel>
  );
}

interface TaskProps {
  readonly subject: Subject;
  readonly loans: readonly Loan[];
  readonly numbers: TaskNumbers;
  readonly act: ActingProps['act'];
}

function Protect({ subject, loans, numbers, act }: TaskProps): ReactNode {
  const { loan, debt } = subject;
  const target = numbers.protect?.toReach ?? null;
  const amount = target?.amount ?? null;
  const { reserve } = debt;
  return (
    <Task
      icon="protect"
      title="Protect this loan"
      button="Protect"
      of={loanLabel(loan, loans)}
      form={
        reserve === null
          ? null
          : {
              kind: 'lending',
              market: reserve.marketAddress,
              reserve: reserve.address,
              loan: loan.address,
              verb: 'repay',
              ...(amount === null ? {} : { amount: amount.amount }),
            }
      }
      act={act}
    >
      {loanLabel(loan, loans)}.{' '}
      {amount === null ? (
        'Repay a part of the debt from your wallet, or add collateral.'
      ) : (
        <>
          Repay{' '}
          <strong>
            <Tokens value={amount.amount} symbol={amount.token.symbol} />
          </strong>{' '}
          from your wallet and its health goes from{' '}
          <ShownValue derived value={loan.healthFactor} show={health} /> to{' '}
          <ShownValue value={target?.healthFactor ?? null} show={health} absent="No debt remains" none />.
        </>
      )}
    </Task>
  );
}

function Leave({ subject, loans, numbers, act }: TaskProps): ReactNode {
  const { loan, debt } = subject;
  const deposit = collateralOf(subject);
  const target = numbers.leave?.toReachWithCollateral ?? null;
  const sold = target !== null && target.limit === null ? target.withdraw : null;
  const left =
    sold === null || !deposit?.amount
      ? null
      : Decimal.of(deposit.amount.amount).minus(Decimal.of(sold.amount));
  const symbol = deposit?.amount?.token.symbol ?? 'the collateral';
  return (
    <Task
      icon="leave"
      title="Get out"
      button="Get out"
      of={loanLabel(loan, loans)}
      form={leaveForm(loan, debt.reserveAddress)}
      act={act}
    >
      {loanLabel(loan, loans)}.{' '}
      {sold === null ? (
        <>Sell {symbol} to repay all, and take back the rest. </>
      ) : (
        <>
          Sell about{' '}
          <strong>
            <Tokens value={sold.amount} symbol={sold.token.symbol} />
          </strong>{' '}
          to repay all
          {left !== null && !left.isNegative && (
            <>
              , and take back about{' '}
              <strong>
                <Tokens derived value={left.toString()} symbol={symbol} />
              </strong>
            </>
          )}
          .{' '}
        </>
      )}
      Ends a cost of{' '}
      <Percent derived value={loan.netApy === null ? null : Decimal.of(loan.netApy).negated().toString()} /> a
      year.
    </Task>
  );
}

/** A leveraged loan is closed with a flash loan; another one is repaid with its collateral. */
function leaveForm(loan: Loan, debt: string): ActPanelProps | null {
  const { market, address } = loan;
  if (market === null) return null;
  const close = leverageOf(loan, { market: market.address, obligation: address }).filter(
    ({ name }) => name === 'Close the position',
  );
  if (close.length > 0)
    return { kind: 'tasks', title: 'Get out', subject: address, tasks: close, symbols: {} };
  const target = swapTarget(loan);
  return target && { ...target, start: { kind: 'repayWithCollateral', from: debt, amount: 'all' } };
}

function Change({ subject, loans, numbers, act }: TaskProps): ReactNode {
  const { loan, debt } = subject;
  const cheaper = cheaperDebt(subject, numbers.market?.reserves ?? []);
  const target = swapTarget(loan);
  const owed = debt.reserve?.token.symbol ?? 'this token';
  return (
    <Task
      icon="swap"
      title="Change what you owe"
      button="Change"
      of={loanLabel(loan, loans)}
      form={
        target && {
          ...target,
          start: {
            kind: 'swapDebt',
            from: debt.reserveAddress,
            ...(cheaper === null ? {} : { to: cheaper.reserve, amount: 'all' }),
          },
        }
      }
      act={act}
    >
      {cheaper === null ? (
        <>
          No other token like {owed} costs less in this market now. You pay{' '}
          <Percent derived value={debt.reserve?.borrowApy.total} /> a year for {owed}.
        </>
      ) : (
        <>
          Owe {cheaper.symbol} at{' '}
          <strong>
            <Percent value={cheaper.apy} />
          </strong>{' '}
          instead of {owed} at <Percent derived value={debt.reserve?.borrowApy.total} />. About{' '}
          <strong>
            <Usd derived value={cheaper.saved.truncated(6).toString()} />
          </strong>{' '}
          less a year.
        </>
      )}
    </Task>
  );
}

interface CardProps {
  readonly icon: IconName;
  readonly title: string;
  readonly button: string;
  /** The loan, for a reader who hears the button alone. */
  readonly of: string;
  readonly form: ActPanelProps | null;
  readonly act: ActingProps['act'];
  readonly children: ReactNode;
}

function Task({ icon, title, button, of, form, act, children }: CardProps): ReactNode {
  return (
    <article className="task">
      <h3>
        <Icon name={icon} />
        {title}
      </h3>
      <p>{children}</p>
      {act !== null && form !== null && (
        <button type="button" className="small" onClick={() => act(form)}>
          {button}
          <span className="visually-hidden"> of {of}</span>
        </button>
      )}
    </article>
  );
}
