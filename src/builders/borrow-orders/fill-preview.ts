import type { FillHindrance } from '../../domain/borrow-orders.ts';
import type { Moment } from '../../domain/moment.ts';
import { lendingPreview } from '../lending/preview.ts';
import { permissionOf } from '../lending/terms.ts';
import { healthAfter, pricesOf, programRefusals } from '../lending/warnings.ts';
import { permissionWarnings } from '../permission.ts';
import type { Preview } from '../preview.ts';
import { lendingError } from '../program-errors.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import { describedOrder, tokensInWords } from './accounts.ts';
import type { FillAccounts } from './fill-accounts.ts';
import type { FillOutcome } from './fill-outcome.ts';
import { remainingChange } from './preview.ts';

/** The owner's position before and after the fill, and what remains of the order. */
export function fillPreview(accounts: FillAccounts, outcome: FillOutcome, moment: Moment): Preview {
  const { request, borrow: state, order } = accounts;
  const { borrow, rest } = outcome;
  const reserve = { address: request.reserve, value: state.reserve };
  const { mintPubkey, mintDecimals } = state.reserve.liquidity;
  return {
    ...lendingPreview(state, borrow, moment, fillWarnings(accounts, outcome, moment)),
    borrowOrder: {
      index: request.index,
      before: describedOrder(state.symbolOf, state.reserve, order),
      after: rest && describedOrder(state.symbolOf, state.reserve, rest),
      remaining: remainingChange(reserve, order, rest),
      received: { mint: mintPubkey, decimals: Number(mintDecimals), amount: borrow.effect.moved },
      reserves: [request.reserve],
    },
  };
}

function fillWarnings(accounts: FillAccounts, outcome: FillOutcome, moment: Moment): BuildWarning[] {
  const { request, borrow: state } = accounts;
  const { borrow, isPart } = outcome;
  const refusals = programRefusals(state, isPart, borrow, moment);
  return [
    ...permissionWarnings(permissionOf(state), 'market', [request.wallet, state.payer]),
    ...refusals,
    ...(refusals.length > 0 ? [] : orderRefusals(outcome)),
    ...noDestination(accounts),
    ...pricesOf(state, borrow, moment).filter(({ level }) => level !== 'ERROR'),
    ...filledInPart(accounts, outcome),
    ...healthAfter(borrow),
  ];
}

const ERRORS: Readonly<Record<FillHindrance, string>> = {
  EXECUTION_DISABLED: 'BorrowOrderExecutionDisabled',
  RATE_TOO_HIGH: 'BorrowOrderMaxBorrowRateExceeded',
  HAS_TERM: 'BorrowOrderMinDebtTermInsufficient',
  TERM_TOO_SHORT: 'BorrowOrderMinDebtTermInsufficient',
  EXPIRED: 'BorrowOrderFillTimeLimitExceeded',
  FILL_TOO_SMALL: 'BorrowOrderFillValueTooSmall',
  REST_TOO_SMALL: 'BorrowOrderValueTooSmall',
  ROLLOVER_DISABLED: 'BorrowRolloverConfigurationDisabled',
  ROLLOVER_MISMATCH: 'ObligationBorrowRolloverConfigMismatch',
};

/** The program's own checks of the order, which it makes after the borrow. */
function orderRefusals({ hindrance }: FillOutcome): BuildWarning[] {
  if (hindrance === null) return [];
  const name = ERRORS[hindrance];
  const { number, advice } = lendingError(name);
  const isAmount = hindrance === 'FILL_TOO_SMALL' || hindrance === 'REST_TOO_SMALL';
  const code = isAmount ? 'AMOUNT_BELOW_MINIMUM' : 'ACTION_NOT_ALLOWED';
  return [warning(code, `${advice} The program answers ${number} ${name}.`)];
}

/** A fill can open the owner's own account only. */
function noDestination({ borrow, order, ownToken }: FillAccounts): BuildWarning[] {
  if (borrow.token.account !== null || borrow.token.address === ownToken) return [];
  const message = `The token account of the order, ${order.filledDebtDestination}, does not exist. Its owner must open it, or place the order anew.`;
  return [warning('ACTION_NOT_ALLOWED', message)];
}

function filledInPart(
  { borrow, order }: FillAccounts,
  { borrow: { effect }, rest }: FillOutcome,
): BuildWarning[] {
  if (rest === null || effect.moved === 0n) return [];
  const [filled, asked] = [effect.moved, order.remainingDebtAmount].map((units) =>
    tokensInWords(borrow.symbolOf, borrow.reserve, units),
  );
  const message = `Collateral, borrow limit and liquidity allow ${filled} of ${asked} now. The rest stays open.`;
  return [warning('FILLED_IN_PART', message)];
}
