import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { SluiceError } from '../../errors/sluice-error.ts';
import { exactlyOne, InputSchemas } from '../schemas/input-schema.ts';
import { type Asked, type Caller, CURSOR, dataOf, READS, STATE, type Tool, tool } from '../tool.ts';
import { MAX_ACTIONS } from './actions-input.ts';

const SUBJECTS = ['obligation', 'wallet', 'market'] as const;
const DOCUMENTS = [
  'preview-action',
  'preview-plan',
  'to-reach',
  'to-reach-with-collateral',
  ...SUBJECTS.map((each) => `what-if-${each}`),
  'rebalance-vault',
  'backtest-vault',
];
const SCENARIO = 'scenario';
const SUMMARIES = {
  actions: 'Preview of actions',
  whatIf: 'What-if',
  toReach: 'Amount',
  toReachWithCollateral: 'Amount',
  rebalance: 'Moves of a vault',
  backtest: 'Backtest',
} as const;

/** Effects of actions on a position and of prices and rates on loans, and the amount that reaches a health. */
export function simulate(schema: GraphQLSchema): Tool {
  const types = new InputSchemas(schema);
  const whatIf = z.strictObject({
    subject: exactlyOne(
      z.strictObject({
        obligation: z.string().optional().describe('Address of a loan.'),
        wallet: z.string().optional().describe('Address of a wallet: all its loans and vault shares.'),
        market: z.string().optional().describe('Address of a market: all its loans. Prices only.'),
      }),
    ).describe('Whose state to suppose: exactly one of obligation, wallet, market.'),
    prices: z
      .array(types.of('PriceShock'))
      .optional()
      .describe('Supposed prices. All others stay; name liquid-staking tokens too if they should move.'),
    rates: z.array(types.of('ReserveRates')).optional().describe('Supposed rates. Not for a market.'),
    days: z
      .int()
      .min(0)
      .max(3_650)
      .default(0)
      .describe('Days of interest before the prices move. Not for a market.'),
  });
  const toReach = z.strictObject({
    obligation: z.string().describe('Address of the loan.'),
    healthFactor: z
      .union([z.string(), z.number()])
      .describe('Wanted health factor; it can be liquidated at 1.'),
    by: types.of('HealthAction').describe('How to reach it.'),
    reserve: z.string().describe('Reserve of the debt or the deposit, in the market of the loan.'),
  });
  const toReachWithCollateral = z.strictObject({
    obligation: z.string().describe('Address of the loan.'),
    healthFactor: z
      .union([z.string(), z.number()])
      .describe('Wanted health factor; it can be liquidated at 1.'),
    repayReserve: z.string().describe('Reserve of the debt.'),
    withdrawReserve: z.string().describe('Reserve of the deposit that is sold.'),
    swapLossBps: z
      .int()
      .min(0)
      .max(5_000)
      .default(0)
      .describe('What the swap loses at oracle prices, in basis points, with fees.'),
  });
  const rebalance = types.fieldsOf('VaultRebalanceInput', { without: ['options', 'wallet'] }).extend({
    wallet: z.string().optional().describe('The wallet that would sign. Default: the admin of the vault.'),
  });
  const backtest = z.strictObject({
    vault: z.string().describe('Address of the vault.'),
    weights: z
      .array(types.of('VaultWeightInput'))
      .describe('Weights of reserves. A reserve that is not named gets nothing.'),
    unallocatedWeight: z
      .union([z.string(), z.number()])
      .optional()
      .describe('Weight of what stays idle, relative to those of the reserves.'),
    last: types.of('Period').optional().describe('Period up to now: `last` or `range`. Default: 30 days.'),
    range: types.of('TimeRange').optional().describe('A past range of at most 1096 days.'),
  });
  const input = z.strictObject({
    suppose: exactlyOne(
      z.strictObject({
        // The schema of actions is long, and the tool "prepare" has it. The GraphQL API validates them.
        actions: z
          .array(z.record(z.string(), z.unknown()))
          .min(1)
          .max(MAX_ACTIONS)
          .optional()
          .describe('Actions of one wallet, in order: as `actions` of the tool `prepare`.'),
        whatIf: whatIf.optional().describe('Prices or rates that differ from the present ones.'),
        toReach: toReach.optional().describe('The exact amount of one action that reaches a health factor.'),
        toReachWithCollateral: toReachWithCollateral
          .optional()
          .describe('The repayment that a deposit pays for and that reaches a health factor.'),
        rebalance: rebalance
          .optional()
          .describe('Target weights and caps of a vault: the moves that reach them, and what they change.'),
        backtest: backtest
          .optional()
          .describe('What a vault would have earned over a past range with other weights.'),
      }),
    ).describe(
      'What to suppose: exactly one of actions, whatIf, toReach, toReachWithCollateral, rebalance, backtest.',
    ),
    ...STATE,
    cursor: CURSOR,
  });
  type Input = z.infer<typeof input>;

  async function asked({ suppose, view, minSlot }: Input, caller: Caller): Promise<Asked> {
    const state = { view, minSlot };
    if (suppose.actions !== undefined) {
      const [action, ...more] = suppose.actions;
      return more.length === 0
        ? await caller.ask('preview-action', { action }, state)
        : await caller.ask('preview-plan', { actions: suppose.actions }, state);
    }
    if (suppose.toReach !== undefined) {
      const { obligation: address, ...target } = suppose.toReach;
      return await caller.ask('to-reach', { address, ...target }, state);
    }
    if (suppose.toReachWithCollateral !== undefined) {
      const { obligation: address, ...target } = suppose.toReachWithCollateral;
      return await caller.ask('to-reach-with-collateral', { address, ...target }, state);
    }
    const ofVault = suppose.rebalance ?? suppose.backtest;
    if (ofVault !== undefined) {
      const { vault: address, ...terms } = ofVault;
      return await caller.ask(
        suppose.backtest === undefined ? 'rebalance-vault' : 'backtest-vault',
        { address, ...terms },
        state,
      );
    }
    const { subject = {}, prices = [], rates, days = 0 } = suppose.whatIf ?? {};
    const [kind, address] = Object.entries(subject).find(([, given]) => given !== undefined) ?? [];
    if (kind === 'market' && (rates !== undefined || days > 0))
      throw new SluiceError('BAD_REQUEST', { reason: 'A market takes prices only, no rates and days.' });
    const market = { address, shocks: [{ label: SCENARIO, prices }] };
    return await caller.ask(
      `what-if-${kind}`,
      kind === 'market' ? market : { address, prices, rates, days },
      state,
    );
  }

  return tool({
    name: 'simulate',
    title: 'Simulate actions, prices or a target',
    description:
      'Previews one action or a plan of several without building it; shows a loan, a wallet or a whole market under supposed prices and rates; computes the amount to repay, deposit, withdraw, or repay out of collateral for a health factor; plans the moves that bring a vault to target weights; or backtests other weights of a vault over a past range. Builds no transaction.',
    annotations: READS,
    input,
    data: () => dataOf(schema, DOCUMENTS),
    async answer(given, caller) {
      const [kind = 'whatIf'] = Object.keys(given.suppose) as (keyof typeof SUMMARIES)[];
      return { ...(await asked(given, caller)), summary: `${SUMMARIES[kind]}; nothing was built.` };
    },
  });
}
