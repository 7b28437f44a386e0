import type { Address } from '@solana/kit';
import { type Action, once, type StepContext, walletTokenAccount } from '../action.ts';
import { type AmountInput, toBaseUnits } from '../amount.ts';
import type { ActionOptions } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { type LendingAccounts, lendingAccounts } from '../lending/accounts.ts';
import { referencesOf } from '../lending/action.ts';
import { knownOracles } from '../lending/expected-reads.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from '../lending/obligation-choice.ts';
import { lendingAmountRules } from '../lending/terms.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { wrappedSolWarnings } from '../wallet-warnings.ts';
import { buildRepayAndWithdraw, checkPositions } from './build.ts';
import { freshAfterBoth, repayWithdrawChanges } from './changes.ts';
import { type BothHalves, combination } from './combination.ts';
import { repayWithdrawPreview } from './preview.ts';
import { combinationWarnings } from './refusals.ts';
import { expectedReads, firstReads, halfOf, type RepayWithdrawRequest, secondReads } from './request.ts';

/** Kinds of action in this folder, with their descriptions. */
export const REPAY_WITHDRAW_ACTIONS = {
  REPAY_AND_WITHDRAW:
    'Repay a debt and withdraw a deposit in one instruction, also above the maximum loan-to-value.',
} as const;

export interface RepayAndWithdrawRequest extends ActionOptions {
  readonly wallet: Address;
  readonly market: Address;
  readonly repayReserve: Address;
  readonly withdrawReserve: Address;
  /** Debt to repay. */
  readonly repay: AmountInput;
  /** Deposit to withdraw. */
  readonly withdraw: AmountInput;
  /** By default the vanilla obligation with id 0. */
  readonly obligation?: ObligationChoice;
}

/**
 * A repayment with a withdrawal.
 *
 * @example
 * const target = { wallet, market, repayReserve, withdrawReserve };
 * repayAndWithdrawAction(known, { ...target, repay: { tokens: parseDecimal('250') }, withdraw: { tokens: ONE } });
 */
export function repayAndWithdrawAction(known: KnownAccounts, asked: RepayAndWithdrawRequest): Action {
  const { wallet, market, repayReserve, withdrawReserve, obligation = DEFAULT_OBLIGATION } = asked;
  const request: RepayWithdrawRequest = {
    programs: known.programs,
    wallet,
    market,
    repayReserve,
    withdrawReserve,
    obligation,
    lookupTables: known.tablesOfMarket(market),
    oracles: knownOracles(known, market),
  };
  return {
    wallet,
    named: firstReads(request),
    expected: expectedReads(known, request),
    needed: (read) => secondReads(request, read),
    build(read, at) {
      const { moment } = at;
      const halves = repayWithdrawAccounts(request, read, at);
      const { repay, withdraw } = halves;
      checkPositions(halves);
      const amounts = {
        repay: toBaseUnits(asked.repay, lendingAmountRules(repay)),
        withdraw: toBaseUnits(asked.withdraw, lendingAmountRules(withdraw)),
      };
      const done = combination(halves, amounts, moment);
      const action = buildRepayAndWithdraw(halves, done, moment, asked);
      const { token } = withdraw.isSol ? withdraw : repay;
      return {
        kind: 'REPAY_AND_WITHDRAW',
        action,
        tables: repay.tables,
        walletTokens: [tokenOf(repay), tokenOf(withdraw)],
        preview: once(() =>
          repayWithdrawPreview(done, moment, [
            ...combinationWarnings(done, moment),
            ...wrappedSolWarnings(token, action.wrappedSol, 'Wrapped SOL stays in the wallet.'),
          ]),
        ),
        after: once(() => repayWithdrawChanges(done, action, moment, read)),
        fresh: freshAfterBoth(done),
        about: { account: repay.obligationAddress, pool: withdrawReserve, side: 'deposit' },
        references: referencesOf(repay),
      };
    },
  };
}

/** Decodes the accounts of both halves. */
export function repayWithdrawAccounts(
  request: RepayWithdrawRequest,
  read: ReadAccounts,
  { slot, payer, fresh }: Pick<StepContext, 'slot' | 'payer' | 'fresh'>,
): BothHalves {
  const of = (action: 'repay' | 'withdraw') =>
    lendingAccounts(halfOf(request, action), read, slot, payer, fresh);
  return { repay: of('repay'), withdraw: of('withdraw') };
}

const tokenOf = ({ token, reserve }: LendingAccounts) =>
  walletTokenAccount(token, reserve.liquidity.mintPubkey, reserve.liquidity.mintDecimals);
