import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { BuiltStep } from '../../../src/builders/action.ts';
import type { AmountInput } from '../../../src/builders/amount.ts';
import type { ReadAccounts } from '../../../src/builders/read-accounts.ts';
import { repayAndWithdrawAction } from '../../../src/builders/repay-withdraw/action.ts';
import {
  type LendingSetting,
  lendingRequest,
  MARKET,
  reserveAddress,
  WALLET,
} from '../builders/lending-accounts.ts';
import { NOTHING_KNOWN, readOf, stepOn } from './built-steps.ts';
import { LendingBench } from './lending-bench.ts';

const { klend } = MAINNET_PROGRAMS;

/** A repayment and a withdrawal, by the indexes of their reserves. */
export interface RepayWithdraw {
  readonly from: number;
  readonly to: number;
  readonly repay: AmountInput;
  readonly withdraw: AmountInput;
}

export interface BuiltRepayWithdraw {
  readonly step: BuiltStep;
  /** Codes of the errors that the preview warns of. */
  readonly errors: readonly string[];
}

/** A market in which a wallet repays and withdraws in one instruction. */
export class RepayWithdrawBench extends LendingBench {
  constructor(setting: LendingSetting) {
    super(setting, lendingRequest('withdraw', { reserve: reserveAddress(0) }));
  }

  readonly read: ReadAccounts = (address) => readOf(this, address);

  build({ from, to, repay, withdraw }: RepayWithdraw): BuiltRepayWithdraw {
    const reserves = [0, 1, 2].map((index) => ({
      address: reserveAddress(index),
      value: this.reserve(index),
    }));
    const known = { ...NOTHING_KNOWN, reservesOf: () => reserves };
    const action = repayAndWithdrawAction(known, {
      wallet: WALLET,
      market: MARKET,
      repayReserve: reserveAddress(from),
      withdrawReserve: reserveAddress(to),
      repay,
      withdraw,
    });
    const step = stepOn(this, action);
    const errors = step
      .preview()
      .warnings.filter(({ level }) => level === 'ERROR')
      .map(({ code }) => code);
    return { step, errors };
  }

  /** Base units in the wallet's account. */
  walletUnits(index: number, read: ReadAccounts = this.read): bigint {
    const { mintPubkey } = this.reserve(index).liquidity;
    const account = read(associatedTokenAddress(WALLET, TOKEN_PROGRAM, mintPubkey).address);
    return account === null ? 0n : decodeTokenAccount(account).amount;
  }

  /** The deposits, the debt that is repaid, both reserves and the wallet, in the units of the program. */
  exactState(read: ReadAccounts, { from, to }: RepayWithdraw) {
    const account = read(this.obligationAddress);
    const data = account === null || account.owner !== klend ? null : obligation.decode(account, klend);
    return {
      deposits: data?.deposits.map((each) => [each.depositReserve, each.depositedAmount]),
      debt: data?.borrows
        .filter(({ borrowReserve }) => borrowReserve === reserveAddress(from))
        .map(({ borrowedAmountSf }) => borrowedAmountSf),
      debts: data?.borrows.filter(({ borrowedAmountSf }) => borrowedAmountSf > 0n).length,
      hasDebt: data?.hasDebt,
      wallet: [this.walletUnits(from, read), this.walletUnits(to, read)],
      reserves: [from, to].map((index) => {
        const found = read(reserveAddress(index));
        if (found === null) throw new Error(`no reserve ${index}`);
        const { liquidity, collateral, lastUpdate, config } = reserve.decode(found, klend);
        return {
          slot: lastUpdate.slot,
          stale: lastUpdate.stale,
          available: liquidity.totalAvailableAmount,
          borrowedSf: liquidity.borrowedAmountSf,
          // A refresh of the obligation moves fees from the protocol to the referrer.
          feesSf:
            liquidity.accumulatedProtocolFeesSf +
            liquidity.accumulatedReferrerFeesSf +
            liquidity.pendingReferrerFeesSf,
          rate: liquidity.cumulativeBorrowRateBsf.value,
          priceSf: liquidity.marketPriceSf,
          minted: collateral.mintTotalSupply,
          caps: [config.depositWithdrawalCap, config.debtWithdrawalCap],
        };
      }),
    };
  }
}
