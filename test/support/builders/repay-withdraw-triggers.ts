import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { AmountInput } from '../../../src/builders/amount.ts';
import { repayAndWithdrawAction } from '../../../src/builders/repay-withdraw/action.ts';
import type { BuildWarning } from '../../../src/builders/warnings.ts';
import { NOTHING_KNOWN } from '../localnet/built-steps.ts';
import { position, type Trigger } from './built-warnings.ts';
import {
  type LendingSetting,
  lendingChain,
  MARKET,
  NOW,
  reserveAddress,
  SLOT,
  WALLET,
} from './lending-accounts.ts';

export interface RepaidAndWithdrawn {
  readonly repay: AmountInput;
  readonly withdraw: AmountInput;
  /** Index of the reserve to withdraw from. */
  readonly from?: number;
}

/** Warnings of a repayment of the debt in reserve 0 with a withdrawal. */
export function repayAndWithdraw(
  setting: LendingSetting,
  { from = 1, ...amounts }: RepaidAndWithdrawn,
): readonly BuildWarning[] {
  const action = repayAndWithdrawAction(NOTHING_KNOWN, {
    wallet: WALLET,
    market: MARKET,
    repayReserve: reserveAddress(0),
    withdrawReserve: reserveAddress(from),
    ...amounts,
  });
  const at = { slot: SLOT, moment: NOW, payer: WALLET, fresh: new Set([NO_ADDRESS]) };
  return action.build(lendingChain(setting), at).preview().warnings;
}

/** 1000 deposited, which may back 750 and is liquidated at 850, and 800 owed. */
export const aboveLimit = (more: LendingSetting = {}): LendingSetting =>
  position({}, { reserves: [{}, {}, {}], borrows: [[0, 800_000_000n]], ...more });

const TEN = { baseUnits: 10_000_000n };

export const REPAY_WITHDRAW_TRIGGERS: readonly Trigger[] = [
  [
    'LTV_WOULD_RISE',
    'a withdrawal of more than the repayment makes up for',
    () => repayAndWithdraw(aboveLimit(), { repay: TEN, withdraw: { baseUnits: 13_000_000n } }),
  ],
  [
    'COLLATERAL_ORDER',
    'another deposit with a lower maximum LTV',
    () =>
      repayAndWithdraw(
        aboveLimit({
          reserves: [{}, {}, { config: { loanToValuePct: 50, liquidationThresholdPct: 85 } }],
          deposits: [
            [1, 900_000_000n],
            [2, 100_000_000n],
          ],
        }),
        { repay: TEN, withdraw: TEN },
      ),
  ],
  [
    'COLLATERAL_ORDER',
    'another deposit that backs no debt',
    () =>
      repayAndWithdraw(
        aboveLimit({
          reserves: [{}, {}, { config: { loanToValuePct: 0, liquidationThresholdPct: 85 } }],
          deposits: [
            [1, 900_000_000n],
            [2, 100_000_000n],
          ],
        }),
        { repay: TEN, withdraw: TEN },
      ),
  ],
  [
    'COLLATERAL_TOO_LOW',
    'a debt that stays above the liquidation threshold',
    () => repayAndWithdraw(aboveLimit({ borrows: [[0, 870_000_000n]] }), { repay: TEN, withdraw: TEN }),
  ],
  [
    'LTV_WOULD_RISE',
    'all of the deposit, for a part of the debt',
    () => repayAndWithdraw(aboveLimit(), { repay: TEN, withdraw: { all: true } }),
  ],
  [
    'COLLATERAL_TOO_LOW',
    'deposits without value',
    () =>
      repayAndWithdraw(
        aboveLimit({
          reserves: [{}, { oracle: null, change: { liquidity: { marketPriceSf: 1n } } }],
          deposits: [[1, 100n]],
        }),
        { repay: TEN, withdraw: TEN },
      ),
  ],
  [
    'ACTION_NOT_ALLOWED',
    'a whole debt in a reserve that holds another deposit',
    () =>
      repayAndWithdraw(
        aboveLimit({
          deposits: [
            [0, 500_000_000n],
            [1, 900_000_000n],
          ],
        }),
        { repay: { all: true }, withdraw: TEN },
      ),
  ],
  [
    'ABOVE_POSITION',
    'more than the debt and the deposit',
    () =>
      repayAndWithdraw(aboveLimit(), {
        repay: { baseUnits: 900_000_000n },
        withdraw: { baseUnits: 2_000_000_000n },
      }),
  ],
  [
    'BALANCE_TOO_LOW',
    'a repayment of more than the wallet has',
    () => repayAndWithdraw(aboveLimit({ balances: [9_999_999n] }), { repay: TEN, withdraw: TEN }),
  ],
];
