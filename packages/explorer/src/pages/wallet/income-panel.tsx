import { Decimal, graphql } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { day } from '../../format/dates.ts';
import { formatUsd } from '../../lending/chart-formats.ts';
import { knownUsdSum } from '../../lending/usd-sum.ts';
import { Chart } from '../../ui/chart.tsx';
import { Choice } from '../../ui/choice.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useUrlChoice } from '../../ui/url-state.ts';
import { Usd } from '../../ui/value.tsx';
import { type IncomeBucket, type IncomeStep, incomeAsked, incomeBuckets } from './income.ts';

const INCOME = graphql(`
  query WalletIncome($address: Address!, $by: IncomeStep!, $start: DateTime!) {
    wallet(address: $address) {
      id
      income(by: $by, range: { start: $start }) {
        complete
        periods { start end total { interestEarned { usd } } }
      }
    }
  }
`);

const STEPS: readonly (readonly [IncomeStep, string])[] = [
  ['week', 'Week'],
  ['month', 'Month'],
];

/** Interest that vaults and deposits have earned, by week or month. */
export function IncomePanel({ address }: { readonly address: string }): ReactNode {
  const [step, setStep] = useUrlChoice('income', ['week', 'month'], 'week');
  const asked = useMemo(() => incomeAsked(step, Date.now()), [step]);
  const variables = { address, ...asked };
  const result = useSluiceQuery(INCOME, variables, { refetchMs: 300_000 });
  const income = result.data?.data.wallet.income;
  const buckets = useMemo(
    () => (income === undefined || income === null ? [] : incomeBuckets(income.periods, step, Date.now())),
    [income, step],
  );
  return (
    <Panel
      title="Income"
      document={INCOME}
      variables={variables}
      result={result}
      controls={
        <>
          <a href={`portfolio/${address}/income.csv`} download aria-label="Income as CSV">
            CSV
          </a>
          <Choice label="By" options={STEPS} value={step} onChange={setStep} />
        </>
      }
    >
      {() =>
        income !== undefined &&
        income !== null && <Income buckets={buckets} step={step} complete={income.complete} />
      }
    </Panel>
  );
}

interface IncomeProps {
  readonly buckets: readonly IncomeBucket[];
  readonly step: IncomeStep;
  readonly complete: boolean;
}

function Income({ buckets, step, complete }: IncomeProps): ReactNode {
  const known = buckets.map(({ usd }) => usd);
  const heights = (isRunning: boolean) =>
    buckets.map(({ usd, running }) =>
      usd === null || running !== isRunning ? null : Decimal.of(usd).toApproximateNumber(),
    );
  const hasRunning = buckets.some(({ running, usd }) => running && usd !== null);
  return (
    <>
      <p className="sub">
        Interest of vaults and deposits, in dollars of each day.{' '}
        {buckets.length > 0 && (
          <>
            <Usd derived value={knownUsdSum(known)} /> in {buckets.length} {step}
            {buckets.length === 1 ? '' : 's'}
            {hasRunning && `; this ${step} is not over (dashed)`}.
          </>
        )}{' '}
        {!complete && 'Some of it is not known.'}
      </p>
      <Chart
        label={`Interest by ${step}`}
        xs={buckets.map(({ start }) => start)}
        series={[
          { label: 'Interest', color: '--series-1', bars: 'solid', values: heights(false) },
          ...(hasRunning
            ? [{ label: `This ${step}`, color: '--series-1', bars: 'dashed', values: heights(true) } as const]
            : []),
        ]}
        format={formatUsd}
        empty="This wallet has earned no interest yet."
      />
      {buckets.length > 0 && (
        <details className="more">
          <summary>The same as a table</summary>
          <DataTable
            label="Income by period"
            rows={buckets}
            columns={columnsOf(step)}
            rowKey={({ start }) => String(start)}
            empty="No income."
          />
        </details>
      )}
    </>
  );
}

const columnsOf = (step: IncomeStep): readonly Column<IncomeBucket>[] => [
  {
    key: 'start',
    name: `${step === 'week' ? 'Week' : 'Month'} from`,
    cell: ({ start, running }) =>
      `${day(new Date(start * 1_000), new Date(), 'UTC')}${running ? ', not over' : ''}`,
  },
  {
    key: 'usd',
    name: 'Interest',
    cell: ({ usd }) => <Usd value={usd} derived absent="A price or a rate of that time is not known." />,
    align: 'end',
    isKey: true,
  },
];
