import { createAssociatedTokenIdempotent } from '@sluice/protocol/token/instructions';
import type { Address } from '@solana/kit';
import { type AccountChanges, ChangedAccounts, withChanges } from '../account-changes.ts';
import { once, type StepContext } from '../action.ts';
import type { BuiltInstruction } from '../built-instruction.ts';
import { buildDepositAndWithdraw } from '../deposit-withdraw/build.ts';
import { depositWithdrawChanges, freshAfterSwap } from '../deposit-withdraw/changes.ts';
import { needsOneInstruction, type SwappedAmounts, swappedDeposit } from '../deposit-withdraw/combination.ts';
import { depositWithdrawWarnings } from '../deposit-withdraw/refusals.ts';
import { type LendingAccounts, lendingAccounts } from '../lending/accounts.ts';
import { buildLending } from '../lending/action.ts';
import type { CombinedHalf } from '../lending/combined-half.ts';
import { type LendingOutcome, lendingOutcome } from '../lending/preview.ts';
import type { LendingAction } from '../lending/request.ts';
import type { ReadAccount, ReadAccounts } from '../read-accounts.ts';
import { buildRepayAndWithdraw, checkPositions } from '../repay-withdraw/build.ts';
import { freshAfterBoth, repayWithdrawChanges } from '../repay-withdraw/changes.ts';
import { type CombinedAmounts, combination, needsCombination } from '../repay-withdraw/combination.ts';
import { combinationWarnings } from '../repay-withdraw/refusals.ts';
import type { BuildWarning } from '../warnings.ts';
import { type LoanRequest, lendingPart } from './request.ts';

/** A lending action inside a flash loan. */
export interface LeveragePart {
  readonly accounts: LendingAccounts;
  readonly outcome: () => LendingOutcome;
  readonly warnings: () => readonly BuildWarning[];
}

/** Lays out the instructions of a flash loan, each on the accounts as those before it leave them. */
export class LeverageSequence {
  readonly #request: LoanRequest;
  readonly #at: StepContext;
  readonly #setup: BuiltInstruction[] = [];
  readonly #body: BuiltInstruction[] = [];
  readonly #changes = new Map<Address, ReadAccount | null>();
  readonly parts: LeveragePart[] = [];
  #read: ReadAccounts;
  #fresh: ReadonlySet<Address>;

  constructor(request: LoanRequest, read: ReadAccounts, at: StepContext) {
    this.#request = request;
    this.#at = at;
    this.#read = read;
    this.#fresh = at.fresh;
  }

  /** The accounts after what was added so far. */
  get read(): ReadAccounts {
    return this.#read;
  }

  get changes(): AccountChanges {
    return this.#changes;
  }

  /** Reserves that are refreshed and unchanged after what was added so far. */
  get fresh(): ReadonlySet<Address> {
    return this.#fresh;
  }

  /** Set-up first: it may run in a transaction of its own. */
  get instructions(): BuiltInstruction[] {
    return [...this.#setup, ...this.#body];
  }

  /** Adds instructions and what they change. */
  add(
    instructions: readonly BuiltInstruction[],
    change: (changes: ChangedAccounts) => void,
    stale: readonly Address[] = [],
  ): void {
    for (const each of instructions) (each.setup ? this.#setup : this.#body).push(each);
    const changes = new ChangedAccounts(this.#read, this.#at.payer);
    change(changes);
    this.#apply(changes.changes);
    this.#fresh = new Set([...this.#fresh].filter((address) => !stale.includes(address)));
  }

  /** Adds a lending action. Its tokens are in the wallet's token account already, also those of SOL. */
  act(action: LendingAction, amount: bigint | 'all'): void {
    const { moment } = this.#at;
    const accounts = this.#accountsOf(action);
    const build = buildLending(accounts, amount === 'all' ? { all: true } : { baseUnits: amount }, moment);
    this.#take(build.action.instructions);
    this.#apply(build.after(this.#read));
    this.#fresh = build.fresh(this.#fresh);
    const outcome = once(() => lendingOutcome(accounts, amount, moment));
    this.parts.push({ accounts, outcome, warnings: () => build.preview().warnings });
  }

  /** Adds a repayment and a withdrawal: by one instruction where the debts left forbid a withdrawal by its own. */
  repayAndWithdraw(amounts: CombinedAmounts): void {
    const { moment } = this.#at;
    const halves = { repay: this.#accountsOf('repay'), withdraw: this.#accountsOf('withdraw') };
    if (!needsCombination(halves, amounts, moment)) {
      this.act('repay', amounts.repay);
      this.act('withdraw', amounts.withdraw);
      return;
    }
    checkPositions(halves);
    const done = combination(halves, amounts, moment);
    const action = buildRepayAndWithdraw(halves, done, moment);
    this.#take(action.instructions);
    this.#apply(repayWithdrawChanges(done, action, moment, this.#read));
    this.#fresh = freshAfterBoth(done);
    this.#addCombined(done.repay, done.withdraw, () => combinationWarnings(done, moment));
  }

  /**
   * Adds a deposit and a withdrawal from another reserve: by one instruction where a loan above its maximum LTV could not
   * withdraw by its own.
   *
   * @param spent base units of the withdrawal that are needed; null for all of it
   */
  depositAndWithdraw(amounts: SwappedAmounts, spent: bigint | null): void {
    const { moment } = this.#at;
    const halves = { deposit: this.#accountsOf('deposit'), withdraw: this.#accountsOf('withdraw') };
    if (!needsOneInstruction(halves, amounts, spent, moment)) {
      this.act('deposit', amounts.deposit);
      this.act('withdraw', amounts.withdraw);
      return;
    }
    const done = swappedDeposit(halves, amounts, moment);
    this.#take(buildDepositAndWithdraw(halves, done));
    this.#apply(depositWithdrawChanges(done, moment, this.#read));
    this.#fresh = freshAfterSwap(done);
    this.#addCombined(done.deposit, done.withdraw, () => depositWithdrawWarnings(done, moment));
  }

  /** Both halves of one instruction, whose warnings are those of the second. */
  #addCombined(first: CombinedHalf, second: CombinedHalf, warnings: LeveragePart['warnings']): void {
    this.parts.push({ accounts: first.accounts, outcome: () => first.outcome, warnings: () => [] });
    this.parts.push({ accounts: second.accounts, outcome: () => second.outcome, warnings });
  }

  /** Base units that the wallet paid or received by a lending action that was added. */
  moved(action: LendingAction): bigint {
    return this.outcome(action)?.effect.moved ?? 0n;
  }

  /** Undefined for an action that was not added. */
  outcome(action: LendingAction): LendingOutcome | undefined {
    return this.parts.find(({ accounts }) => accounts.request.action === action)?.outcome();
  }

  #accountsOf(action: LendingAction): LendingAccounts {
    const { slot, payer } = this.#at;
    const part = lendingPart(this.#request, action);
    return { ...lendingAccounts(part, this.#read, slot, payer, this.#fresh), isSol: false };
  }

  /** The token accounts are open already. */
  #take(instructions: readonly BuiltInstruction[]): void {
    for (const each of instructions) {
      if (each.name === createAssociatedTokenIdempotent.name) continue;
      (each.setup ? this.#setup : this.#body).push(each);
    }
  }

  #apply(changes: AccountChanges): void {
    for (const [address, account] of changes) this.#changes.set(address, account);
    this.#read = withChanges(this.#read, changes);
  }
}
