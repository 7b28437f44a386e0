import type { RolloverObstacle } from './rollover.ts';

/** One or two sentences: why the program refuses a rollover, and what to do about it. */
export const ROLLOVER_OBSTACLE_WORDS: Readonly<Record<RolloverObstacle, string>> = {
  MARKET_EMERGENCY: 'The market is in emergency mode and accepts no action.',
  RESERVE_OBSOLETE: 'A reserve of the rollover is obsolete.',
  RESERVE_DEPRECATED: 'The program no longer supports a reserve of the obligation.',
  RESERVE_EMERGENCY: 'A reserve of the rollover is in emergency mode and accepts no action.',
  IN_ELEVATION_GROUP: 'An obligation in an elevation group cannot be rolled over. Leave the group first.',
  BORROWING_DISABLED: 'Borrowing is disabled in this market.',
  TARGET_PRICE_REFUSED:
    'The program does not accept the price of the new reserve. Wait until its oracle recovers.',
  TARGET_MATURED: 'The debts of the new reserve have matured; it accepts no new ones.',
  DELEVERAGING: 'The obligation is being deleveraged and does not accept this action.',
  POSITION_OBSOLETE: 'The obligation has a position in an obsolete reserve. Close that position first.',
  POSITION_PRICE_REFUSED:
    'The program does not accept the price of a reserve of the obligation. Wait until its oracle recovers.',
  NO_COLLATERAL: 'The obligation has no deposit.',
  COLLATERAL_WITHOUT_VALUE: 'The deposits of the obligation are worth nothing.',
  GROUP_ONLY_COLLATERAL:
    'A collateral of this obligation counts only inside an elevation group, and there are no rollovers in one.',
  OTHER_BORROW_FACTOR: 'The reserves have different borrow factors. Choose a reserve with the same one.',
  NOT_ALLOWED_BY_OWNER:
    'The owner has not allowed this rollover. The owner can with buildSetRolloverSettings.',
  OPEN_TERM_NOT_ALLOWED: 'The new reserve has no term, and the debt must not move to one without.',
  RATE_TOO_HIGH: 'The highest rate of the new reserve is above the maximum that the owner has set.',
  FIXED_TERM_NOT_ALLOWED: 'The owner accepts no fixed term: the minimum term is 0.',
  TERM_TOO_SHORT: 'The term of the new reserve is shorter than the minimum that the owner has set.',
  SWITCHED_OFF: 'The market has switched off rollovers of this kind.',
  NO_TERM_END: 'The program does not know when the term of the debt ends.',
  TOO_EARLY: 'It is too early: the window before the end of the term has not begun.',
  OTHER_SETTINGS:
    'The obligation has a debt in the new reserve, with other rollover settings. Make them the same first.',
  ENDS_NO_LATER: 'The debt that the obligation has in the new reserve does not end later.',
  NO_LIQUIDITY: 'The new reserve has no liquidity to lend.',
  BORROW_LIMIT: 'The borrow limit of the new reserve is reached.',
  LIMIT_OUTSIDE_GROUPS: 'The limit of the new reserve on debts outside elevation groups is reached.',
  UTILIZATION_LIMIT: 'The utilization of the new reserve is at its limit for borrowing.',
  OUTFLOW_CAP: 'The new reserve lends nothing more in this interval.',
  PART_TOO_SMALL:
    "The new reserve can lend only a part of the debt, which is worth less than the market's minimum.",
  COLLATERAL_TOO_LOW:
    'The debt is rounded up to a whole unit, which the collateral does not cover. Repay some first.',
  NO_FREE_SLOT: 'The obligation has no free slot for another debt. Repay one first.',
  ORDERS: 'The obligation has orders that the rollover would invalidate. Cancel them first.',
};
