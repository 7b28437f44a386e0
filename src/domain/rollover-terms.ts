import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';

/** Terms on which anyone may roll a debt over, as the obligation stores them. */
export type RolloverTerms = ObligationLiquidity['fixedTermBorrowRolloverConfig'];

/** Whether the terms allow a rollover at all: at the end of the term, or at any time to a fixed one. */
export const allowsRollover = ({ autoRolloverEnabled, migrationToFixedEnabled }: RolloverTerms): boolean =>
  autoRolloverEnabled !== 0 || migrationToFixedEnabled !== 0;

/** Why the program does not accept terms. */
export type RolloverTermsFlaw = 'SWITCHED_OFF' | 'NO_RATE' | 'NO_TERM';

/** Compares terms with the rules, in the program's order. Null when it accepts them. */
export function rolloverTermsFlaw(
  {
    obligationBorrowRolloverConfigurationEnabled: isConfigurable,
  }: Pick<LendingMarket, 'obligationBorrowRolloverConfigurationEnabled'>,
  terms: RolloverTerms,
): RolloverTermsFlaw | null {
  if (!allowsRollover(terms)) return null;
  if (isConfigurable === 0) return 'SWITCHED_OFF';
  if (terms.maxBorrowRateBps === 0) return 'NO_RATE';
  return terms.migrationToFixedEnabled !== 0 && terms.minDebtTermSeconds === 0n ? 'NO_TERM' : null;
}

const NO_TERMS: RolloverTerms = {
  autoRolloverEnabled: 0,
  openTermAllowed: 0,
  migrationToFixedEnabled: 0,
  fixedTermRolloverWindowDurationDays: 0,
  maxBorrowRateBps: 0,
  minDebtTermSeconds: 0n,
};

/** Terms of a debt after a rollover: they move with it, but one without a term keeps them only to move on to a fixed one. */
export function termsAfterRollover(
  terms: RolloverTerms,
  { debtTermSeconds }: Pick<ReserveConfig, 'debtTermSeconds'>,
): RolloverTerms {
  return debtTermSeconds !== 0n || terms.migrationToFixedEnabled !== 0 ? terms : NO_TERMS;
}

/** Whether two debts with these terms may become one: the window of days does not count. */
export function isSameRollover(own: RolloverTerms, other: RolloverTerms): boolean {
  return (
    own.autoRolloverEnabled === other.autoRolloverEnabled &&
    own.openTermAllowed === other.openTermAllowed &&
    own.migrationToFixedEnabled === other.migrationToFixedEnabled &&
    own.maxBorrowRateBps === other.maxBorrowRateBps &&
    own.minDebtTermSeconds === other.minDebtTermSeconds
  );
}
