import {
  MAX_INCOME_PERIODS,
  type PeriodIncome,
  type WalletIncome,
  walletIncome,
} from '../../../services/history/income/wallet-income.ts';
import { builder } from '../../builder.ts';
import { WalletRef } from '../../node-refs.ts';
import { NO_HISTORY } from '../history/history-fields.ts';
import { TimeRangeInput } from '../history/time.ts';
import { IncomeGapRef, IncomeTotalsRef, TokenIncomeRef } from './income-parts.ts';

const IncomeStepRef = builder.enumType('IncomeStep', {
  description: 'Length of the periods of an income, by UTC.',
  values: {
    DAY: { description: 'Days.' },
    MONTH: { description: 'Calendar months.' },
  } as const,
});

const CostMethodRef = builder.enumType('CostMethod', {
  description: 'The units that count as given up first when a part of a position is.',
  values: {
    FIFO: { description: 'Those acquired first.' },
    AVERAGE: { description: 'An equal part of all: each has the average cost.' },
  } as const,
});

const PeriodIncomeRef = builder.objectRef<PeriodIncome>('PeriodIncome').implement({
  description: 'The income of one day or month, as far as it is in the range.',
  fields: (t) => ({
    start: t.expose('start', { type: 'DateTime', description: 'Start, inclusive.' }),
    end: t.expose('end', { type: 'DateTime', description: 'End, exclusive.' }),
    tokens: t.expose('tokens', {
      type: [TokenIncomeRef],
      description: 'Income by token, ordered by mint. A token without any is left out.',
    }),
    total: t.expose('total', { type: IncomeTotalsRef, description: 'Value of the income in all tokens.' }),
  }),
});

const WalletIncomeRef = builder.objectRef<WalletIncome>('WalletIncome').implement({
  description:
    'Income of a wallet from vaults, lending and farms. Interest counts as acquired when it accrues, so that it is not part of a gain as well, and all parts add up to the profit.',
  fields: (t) => ({
    by: t.expose('by', { type: IncomeStepRef, description: 'Length of the periods.' }),
    method: t.expose('method', { type: CostMethodRef, description: 'Method of cost.' }),
    periods: t.expose('periods', {
      type: [PeriodIncomeRef],
      description:
        'Adjacent periods in ascending order, from the start of the range, or the first transaction, to its end, or now.',
    }),
    tokens: t.expose('tokens', {
      type: [TokenIncomeRef],
      description: 'Sums over all periods by token, ordered by mint.',
    }),
    total: t.expose('total', { type: IncomeTotalsRef, description: 'Sums over all periods and tokens.' }),
    gaps: t.expose('gaps', {
      type: [IncomeGapRef],
      description: 'What is not known. Empty when everything is.',
    }),
    complete: t.exposeBoolean('complete', {
      description: 'Whether there are no `gaps`, and every price was recorded.',
    }),
  }),
});

builder.objectFields(WalletRef, (t) => ({
  income: t.field({
    type: WalletIncomeRef,
    nullable: true,
    description: `Income from vaults, lending and farms by day or month: interest, rewards, fees and gains. ${NO_HISTORY}`,
    args: {
      range: t.arg({
        type: TimeRangeInput,
        description: 'Time range. Earlier transactions still determine costs. Defaults to everything.',
      }),
      by: t.arg({
        type: IncomeStepRef,
        defaultValue: 'MONTH' as const,
        description: `Length of the periods, of which there are at most ${MAX_INCOME_PERIODS}.`,
      }),
      method: t.arg({
        type: CostMethodRef,
        defaultValue: 'FIFO' as const,
        description: 'Method of cost, which divides gains into realised and unrealised ones.',
      }),
    },
    resolve: ({ address }, { range, by, method }, { platform, session }) =>
      walletIncome(platform, session, address, {
        range: range ?? {},
        by: by ?? 'MONTH',
        method: method ?? 'FIFO',
      }),
  }),
}));
