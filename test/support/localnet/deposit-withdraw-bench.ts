import { depositAndWithdraw } from '@sluice/protocol/klend/position-instructions';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { AccountChanges } from '../../../src/builders/account-changes.ts';
import type { Amount } from '../../../src/builders/amount.ts';
import type { BuiltInstruction } from '../../../src/builders/built-instruction.ts';
import { buildDepositAndWithdraw } from '../../../src/builders/deposit-withdraw/build.ts';
import { depositWithdrawChanges } from '../../../src/builders/deposit-withdraw/changes.ts';
import { swappedDeposit } from '../../../src/builders/deposit-withdraw/combination.ts';
import { depositWithdrawWarnings } from '../../../src/builders/deposit-withdraw/refusals.ts';
import { lendingAccounts } from '../../../src/builders/lending/accounts.ts';
import type { ReadAccounts } from '../../../src/builders/read-accounts.ts';
import {
  type LendingSetting,
  lendingRequest,
  NOW,
  reserveAddress,
  WALLET,
} from '../builders/lending-accounts.ts';
import { readOf } from './built-steps.ts';
import { LendingBench } from './lending-bench.ts';

export interface BuiltDepositWithdraw {
  readonly instructions: readonly BuiltInstruction[];
  readonly changes: AccountChanges;
  /** Codes of the errors that the preview warns of. */
  readonly errors: readonly string[];
}

/** A market in which a wallet deposits into one reserve and withdraws from another one by one instruction. */
export class DepositWithdrawBench extends LendingBench {
  constructor(setting: LendingSetting) {
    super(setting, lendingRequest('withdraw', { reserve: reserveAddress(0) }));
  }

  readonly read: ReadAccounts = (address) => readOf(this, address);

  build(from: number, to: number, deposit: bigint, withdraw: Amount): BuiltDepositWithdraw {
    const accountsOf = (action: 'deposit' | 'withdraw', index: number) =>
      lendingAccounts(lendingRequest(action, { reserve: reserveAddress(index) }), this.read, NOW.slot);
    const halves = { deposit: accountsOf('deposit', to), withdraw: accountsOf('withdraw', from) };
    const done = swappedDeposit(halves, { deposit, withdraw }, NOW);
    const warnings = depositWithdrawWarnings(done, NOW);
    return {
      instructions: buildDepositAndWithdraw(halves, done),
      changes: depositWithdrawChanges(done, NOW, this.read),
      errors: warnings.filter(({ level }) => level === 'ERROR').map(({ code }) => code),
    };
  }

  /** Base units in the wallet's account. */
  walletUnits(index: number): bigint {
    const { mintPubkey } = this.reserve(index).liquidity;
    return this.balance(associatedTokenAddress(WALLET, TOKEN_PROGRAM, mintPubkey).address);
  }
}

/** Base units of every token in the wallet. */
export const RICH = 10n ** 12n;

/** 1000 USD in reserve 1 against 800 owed in reserve 0, with limits of 750 and 850, and another reserve. */
export const swappable = (setting: LendingSetting = {}): DepositWithdrawBench =>
  new DepositWithdrawBench({
    reserves: [{}, {}, {}],
    deposits: [[1, 1_000_000_000n]],
    borrows: [[0, 800_000_000n]],
    balances: [RICH, RICH, RICH],
    change: { hasDebt: 1 },
    ...setting,
  });

export const isDepositAndWithdraw = ({ name }: Pick<BuiltInstruction, 'name'>): boolean =>
  name === depositAndWithdraw.name;
