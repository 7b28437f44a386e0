import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation as layout, type ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import { ensure, patch } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { LENDING } from './lending-errors.ts';

export type RolloverConfig = ObligationLiquidity['fixedTermBorrowRolloverConfig'];

/** Writes the rollover terms of the debt in a slot. */
export function writeRollover(account: InstructionAccount, index: number, config: RolloverConfig): void {
  const borrows = Array.from({ length: index + 1 }, (_, i) =>
    i === index ? { fixedTermBorrowRolloverConfig: config } : {},
  );
  patch(account, layout, { borrows });
}

/** Whether two debts may become one. The window of days does not count. */
export function isSameRollover(own: RolloverConfig, other: RolloverConfig): boolean {
  return (
    own.autoRolloverEnabled === other.autoRolloverEnabled &&
    own.openTermAllowed === other.openTermAllowed &&
    own.migrationToFixedEnabled === other.migrationToFixedEnabled &&
    own.maxBorrowRateBps === other.maxBorrowRateBps &&
    own.minDebtTermSeconds === other.minDebtTermSeconds
  );
}

/** Terms under which nobody could be sure of the rate or the term are refused once they are in force. */
export function checkRolloverConfig(
  { obligationBorrowRolloverConfigurationEnabled: isConfigurable }: LendingMarket,
  config: RolloverConfig,
): void {
  const isMigrated = config.migrationToFixedEnabled !== 0;
  if (config.autoRolloverEnabled === 0 && !isMigrated) return;
  ensure(isConfigurable !== 0, LENDING.borrowRolloverConfigurationDisabled);
  ensure(config.maxBorrowRateBps !== 0, LENDING.invalidConfig);
  ensure(!isMigrated || config.minDebtTermSeconds !== 0n, LENDING.invalidConfig);
}
