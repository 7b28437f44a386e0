import type { Address } from '@solana/kit';
import { type Action, type ActionKind, once } from '../../builders/action.ts';
import { buildLending } from '../../builders/actions.ts';
import type { AmountInput } from '../../builders/amount.ts';
import type { ActionOptions } from '../../builders/built-instruction.ts';
import { lendingAccounts } from '../../builders/lending/accounts.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from '../../builders/lending/obligation-choice.ts';
import {
  farmModeOf,
  firstLendingReads,
  type LendingAction,
  type LendingRequest,
  priceFeedOf,
  secondLendingReads,
} from '../../builders/lending/request.ts';
import { distinct } from '../../builders/read-accounts.ts';
import { expectedLendingReads, rememberLendingReads } from '../expected-reads.ts';
import type { Session } from '../records.ts';
import { marketTables } from './lookup-tables.ts';
import { walletTokenAccount } from './wallet-token.ts';

export interface LendingActionRequest extends ActionOptions {
  readonly action: LendingAction;
  readonly wallet: Address;
  readonly market: Address;
  readonly reserve: Address;
  readonly amount: AmountInput;
  /** By default the vanilla obligation with id 0. */
  readonly obligation?: ObligationChoice;
}

const KINDS = {
  deposit: 'LENDING_DEPOSIT',
  borrow: 'LENDING_BORROW',
  repay: 'LENDING_REPAY',
  withdraw: 'LENDING_WITHDRAW',
} as const satisfies Record<LendingAction, ActionKind>;

/** A deposit, borrow, repayment or withdrawal of an obligation. */
export function lendingAction(session: Session, request: LendingActionRequest): Action {
  const { amount, unwrapSol, obligation = DEFAULT_OBLIGATION, ...what } = request;
  const kind = KINDS[what.action];
  const lending: LendingRequest = {
    ...what,
    obligation,
    lookupTables: marketTables(session, what.market),
    // One or two accounts: reserves of a market share their oracle.
    oracles: distinct(session.view.reservesOfMarket(what.market).map(({ value }) => priceFeedOf(value))),
    programs: session.programs,
  };
  return {
    kind,
    wallet: what.wallet,
    named: firstLendingReads(lending),
    expected: expectedLendingReads(session, lending),
    needed: (read) => secondLendingReads(lending, read),
    build(read, { slot, moment, payer, fresh }) {
      const accounts = lendingAccounts(lending, read, slot, payer, fresh);
      rememberLendingReads(accounts);
      const build = buildLending(accounts, amount, moment, unwrapSol === undefined ? {} : { unwrapSol });
      const { mintPubkey, mintDecimals } = accounts.reserve.liquidity;
      return {
        kind,
        action: build.action,
        tables: accounts.tables,
        walletTokens: [walletTokenAccount(accounts.token, mintPubkey, mintDecimals)],
        preview: once(() => build.preview()),
        after: once(() => build.after(read)),
        fresh: build.fresh(fresh),
        about: {
          account: accounts.obligationAddress,
          pool: what.reserve,
          side: farmModeOf(what.action) === 0 ? 'deposit' : 'debt',
        },
      };
    },
  };
}
