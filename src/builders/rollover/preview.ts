import { rolloverFrom } from '../../domain/debt-end.ts';
import { debtTermEnd, fixedTermRolloverWindow, openTermRolloverWindow } from '../../domain/debt-terms.ts';
import { allowsRollover, type RolloverTerms, rolloverTermsFlaw } from '../../domain/rollover-terms.ts';
import { changed } from '../changed-account.ts';
import { refusal } from '../orders/refusals.ts';
import { NO_FIGURES, type Preview } from '../preview.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { ChangedSetting } from './changed-settings.ts';
import type { RolloverAccounts } from './request.ts';

/** The outcome of new settings. */
export function settingsPreview(
  accounts: RolloverAccounts,
  before: RolloverTerms,
  after: RolloverTerms,
  changes: readonly ChangedSetting[],
): Preview {
  const { request, reserve, market, debt } = accounts;
  const changedDebt = changed(debt, { fixedTermBorrowRolloverConfig: after });
  return {
    ...NO_FIGURES,
    rollover: {
      reserve: request.reserve,
      market: request.market,
      termsBefore: before,
      termsAfter: after,
      endsAt: debtTermEnd(reserve.config, debt),
      rolloverFrom: rolloverFrom(market, reserve.config, changedDebt),
    },
    warnings: [
      ...marketRefusals(accounts, changes),
      ...unavailable(accounts, after),
      ...unlimitedRate(accounts, after),
    ],
  };
}

function marketRefusals({ market }: RolloverAccounts, changes: readonly ChangedSetting[]): BuildWarning[] {
  if (market.emergencyMode !== 0) return [refusal('GlobalEmergencyMode')];
  const isOff = changes.some(
    ({ isChecked, terms }) => isChecked && rolloverTermsFlaw(market, terms) === 'SWITCHED_OFF',
  );
  return isOff ? [refusal('BorrowRolloverConfigurationDisabled')] : [];
}

/** Terms that nobody can use now. */
function unavailable({ market, reserve }: RolloverAccounts, terms: RolloverTerms): BuildWarning[] {
  if (!allowsRollover(terms)) return [];
  const because = (reason: string) => [warning('ROLLOVER_UNAVAILABLE', reason)];
  if (reserve.config.debtTermSeconds === 0n) {
    if (terms.migrationToFixedEnabled === 0) {
      return because(
        'The debt has no term, so there is no end at which it could roll over. To let anyone move it to a fixed term, allow that.',
      );
    }
    return market.obligationBorrowMigrationToFixedExecutionEnabled === 0
      ? because('The market has switched off moves to a fixed term. The settings wait until that ends.')
      : [];
  }
  if (terms.autoRolloverEnabled === 0) {
    return because(
      'The debt has a term, and a move to a fixed term is for debts without one. To let it roll over at the end of its term, allow that.',
    );
  }
  const toFixed = terms.minDebtTermSeconds !== 0n && fixedTermRolloverWindow(market, terms) !== null;
  const toOpen = terms.openTermAllowed !== 0 && openTermRolloverWindow(market) !== null;
  if (toFixed || toOpen) return [];
  return because(
    terms.minDebtTermSeconds === 0n && terms.openTermAllowed === 0
      ? 'Without a minimum term no fixed term is accepted, and a debt without a term is not allowed: nobody can roll the debt over. Set a minimum term, or allow debts without one.'
      : 'The market has switched off rollovers of this kind. The settings wait until that ends.',
  );
}

/** The program compares the maximum rate with reserves that have a term only. */
function unlimitedRate({ reserve }: RolloverAccounts, terms: RolloverTerms): BuildWarning[] {
  const isUsed = terms.autoRolloverEnabled !== 0 && reserve.config.debtTermSeconds !== 0n;
  if (!isUsed || terms.openTermAllowed === 0) return [];
  const message =
    'A rollover to a debt without a term may be into any reserve of the token: the maximum rate does not apply to it, and its rate may float.';
  return [warning('ROLLOVER_RATE_UNLIMITED', message)];
}
