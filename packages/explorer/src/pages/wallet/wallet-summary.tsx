import { Decimal, type SluiceError } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { knownUsdSum, usdSum } from '../../lending/usd-sum.ts';
import { absence } from '../../ui/absence.ts';
import { useCurrency } from '../../ui/currency.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Headline } from '../../ui/headline.tsx';
import { Tokens, Usd } from '../../ui/value.tsx';
import { VALUE_HISTORY, type WalletState } from './wallet-documents.ts';
import { valueSeries } from './wallet-series.ts';

export interface WalletPartProps {
  readonly wallet: WalletState;
  readonly errors: readonly SluiceError[];
}

const UNPRICED = 'A part of it has no known price.';

export interface WalletSummaryProps extends WalletPartProps {
  /** Opens the form that claims rewards. Null for another wallet. */
  readonly claim: (() => void) | null;
}

/** The net value, and what it consists of. */
export function WalletSummary({ wallet, errors, claim }: WalletSummaryProps): ReactNode {
  const { netValue, claimableRewards } = wallet;
  const positions = wallet.vaultPositions?.nodes;
  const loans = wallet.obligations?.nodes;
  const queued = wallet.withdrawTickets?.nodes ?? [];
  const isSol = useCurrency() === 'SOL';
  const why = (field: keyof WalletState, otherwise = UNPRICED) =>
    absence(errors, ['wallet', field], otherwise);
  const usd = <Usd value={netValue?.usd} absent={why('netValue')} />;
  const sol = <Tokens value={netValue?.sol} symbol="SOL" absent={why('netValue')} />;
  const rewards = (claimableRewards ?? []).filter(({ amount }) => !Decimal.of(amount).isZero);
  return (
    <>
      <Headline
        label={
          <span title="Vault positions, loans net of debt, and queued withdrawals. Token balances are not included.">
            Net value
          </span>
        }
        under={
          <>
            {isSol ? usd : sol}
            <Change address={wallet.address} loans={loans?.length ?? 0} />
          </>
        }
      >
        {isSol ? sol : usd}
      </Headline>
      <hr className="rule" />
      <Figures>
        <Figure
          name="In vaults"
          detail={
            <>
              <Usd
                derived
                value={positions && usdSum(positions.map(({ pnl }) => pnl?.usd))}
                signed
                absent={why('vaultPositions', 'The price at the time of a transaction was not recorded.')}
              />{' '}
              profit
            </>
          }
        >
          <Usd
            derived
            value={positions && usdSum(positions.map(({ value }) => value?.usd))}
            absent={why('vaultPositions')}
          />
        </Figure>
        <Figure name="Lent as collateral" detail={loans && `in ${counted(loans.length, 'loan')}`}>
          <Usd
            derived
            value={loans && usdSum(loans.map(({ stats }) => stats?.userTotalDepositUsd))}
            absent={why('obligations')}
          />
        </Figure>
        <Figure name="Owed" detail={loans && <YearlyCost loans={loans} />}>
          <Usd
            derived
            value={loans && usdSum(loans.map(({ stats }) => stats?.userTotalBorrowUsd))}
            absent={why('obligations')}
          />
        </Figure>
        <Figure
          name="Rewards to claim"
          detail={
            rewards.length === 0 ? (
              'None'
            ) : claim === null ? (
              counted(rewards.length, 'token')
            ) : (
              <button type="button" className="quiet" onClick={claim}>
                {rewards.length === 1 ? 'Claim it' : `Claim all ${SMALL[rewards.length] ?? rewards.length}`}
              </button>
            )
          }
        >
          <Usd
            derived
            value={claimableRewards && usdSum(claimableRewards.map(({ usd }) => usd))}
            absent={why('claimableRewards')}
          />
        </Figure>
        {queued.length > 0 && (
          <Figure name="Queued to withdraw" detail={counted(queued.length, 'ticket')}>
            <Usd
              derived
              value={usdSum(queued.map(({ amount }) => amount?.usd))}
              absent="A reserve of a ticket cannot be read, or its token has no known price."
            />
          </Figure>
        )}
      </Figures>
    </>
  );
}

const SMALL: readonly string[] = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

export const counted = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** The debts at their rates of now. */
function YearlyCost({
  loans,
}: {
  readonly loans: NonNullable<WalletState['obligations']>['nodes'];
}): ReactNode {
  const debts = loans.flatMap(({ borrows }) => borrows);
  if (debts.length === 0) return 'Nothing';
  const costs = debts.map(({ amount, reserve }) =>
    amount === null || amount.usd === null || reserve === null
      ? null
      : Decimal.of(amount.usd).times(Decimal.of(reserve.borrowApy.total)).truncated(6).toString(),
  );
  const isKnown = costs.every((cost) => cost !== null);
  return (
    <>
      {isKnown ? 'about ' : 'at least '}
      <Usd derived value={knownUsdSum(costs)} /> a year
    </>
  );
}

const MONTH_POINTS = 30;

/** Change of the net value in 30 days. Nothing while one of its two ends is not known. */
function Change({ address, loans }: { readonly address: string; readonly loans: number }): ReactNode {
  const variables = { address, interval: 'DAY', last: 'D30', loans: Math.max(1, loans) } as const;
  const { data } = useSluiceQuery(VALUE_HISTORY, variables, { refetchMs: 60_000 });
  if (data === undefined) return null;
  const { netValue } = valueSeries(data.data.wallet);
  const [first, last] = [netValue[0]?.value ?? null, netValue.at(-1)?.value ?? null];
  if (first === null || last === null || netValue.length < MONTH_POINTS) return null;
  return (
    <>
      {' · '}
      <Usd derived signed value={Decimal.of(last).minus(Decimal.of(first)).toString()} /> in 30 days
    </>
  );
}
