import type { IncomeGap, IncomeTotals, TokenIncome } from '../../../services/history/income/wallet-income.ts';
import { builder } from '../../builder.ts';
import { TokenRef, tokenLink } from '../../node-refs.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { ValueRef } from '../wallet/wallet.ts';

/** Descriptions of the parts of income. Each field adds the meaning of its null. */
const PARTS = {
  interestEarned: 'Interest earned by vault shares and deposits, valued as it accrues.',
  interestPaid: 'Interest that accrued on debts, valued as it accrues.',
  rewards: 'Rewards that farms paid out, valued when they were received.',
  fees: 'Fees of borrows: debt beyond the tokens received. Fees of vaults have lowered their interest already.',
  liquidations:
    'Debt that liquidators repaid less collateral that they took, valued at that time: negative in the token of the collateral.',
  realizedGain:
    'Change of prices on what was withdrawn, repaid or sent: the value then, less its cost by the method. Interest is not part of it.',
  unrealizedGain:
    'Change during the period of the gain on what is held: its value less its cost. Interest is not part of it.',
} as const;

export const TokenIncomeRef = builder.objectRef<TokenIncome>('TokenIncome').implement({
  description: 'Income in one token. Amounts are null when a rate or an amount is unknown.',
  fields: (t) => {
    const amount = (
      name: 'interestEarned' | 'interestPaid' | 'rewards' | 'fees' | 'liquidations',
      unknown: string,
    ) =>
      t.expose(name, {
        type: TokenAmountRef,
        nullable: true,
        description: `${PARTS[name]} ${unknown}`,
      });
    const noRate = 'Null when a rate was not recorded.';
    const noAmount = 'Null when an amount is unknown.';
    const gain = (name: 'realizedGain' | 'unrealizedGain') =>
      t.expose(name, {
        type: ValueRef,
        description: `${PARTS[name]} A loss is negative; a debt gains when its token falls.`,
      });
    return {
      tokenMint: t.expose('mint', { type: 'Address', description: 'Mint of the token.' }),
      token: t.field({
        type: TokenRef,
        nullable: true,
        description: 'The token. Null, with an error, when its mint cannot be read.',
        resolve: ({ mint }, _args, { session }) => tokenLink(session, mint),
      }),
      interestEarned: amount('interestEarned', noRate),
      interestPaid: amount('interestPaid', noRate),
      rewards: amount('rewards', noAmount),
      fees: amount('fees', noAmount),
      liquidations: amount('liquidations', noAmount),
      realizedGain: gain('realizedGain'),
      unrealizedGain: gain('unrealizedGain'),
    };
  },
});

export const IncomeTotalsRef = builder.objectRef<IncomeTotals>('IncomeTotals').implement({
  description: 'The value of the income in all tokens: exact sums of the published parts.',
  fields: (t) => {
    const part = (name: keyof typeof PARTS) => t.expose(name, { type: ValueRef, description: PARTS[name] });
    return {
      interestEarned: part('interestEarned'),
      interestPaid: part('interestPaid'),
      rewards: part('rewards'),
      fees: part('fees'),
      liquidations: part('liquidations'),
      realizedGain: part('realizedGain'),
      unrealizedGain: part('unrealizedGain'),
      profit: t.expose('profit', {
        type: ValueRef,
        description:
          '`interestEarned` - `interestPaid` + `rewards` - `fees` + `liquidations` + `realizedGain` + `unrealizedGain`, exactly.',
      }),
    };
  },
});

const GapReasonRef = builder.enumType('IncomeGapReason', {
  description: 'Reason for which a part of the income is unknown.',
  values: {
    TRANSACTIONS_MISSING: {
      description: 'Some transactions of the wallet or obligation have not been read from the chain.',
    },
    ACCOUNT_UNREADABLE: {
      description: 'The vault, reserve or mint cannot be read, so its income is left out.',
    },
    RATE_UNKNOWN: {
      description:
        'No rate was recorded when the position was opened or changed: its interest and gains are null, or left out for a vault without any known share price.',
    },
    ORIGIN_UNKNOWN: {
      description:
        'More was withdrawn or repaid than the transactions account for. The difference counts as acquired at its value then.',
    },
  } as const satisfies Record<IncomeGap['reason'], object>,
});

export const IncomeGapRef = builder.objectRef<IncomeGap>('IncomeGap').implement({
  description: 'Something that is not known about the income.',
  fields: (t) => ({
    reason: t.expose('reason', { type: GapReasonRef, description: 'Reason.' }),
    address: t.expose('address', {
      type: 'Address',
      description: 'The wallet, vault, obligation, reserve, farm or mint concerned.',
    }),
  }),
});
