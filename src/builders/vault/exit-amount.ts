import { placePoint } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import type { Moment } from '../../domain/moment.ts';
import type { Amount } from '../amount.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { VaultAccounts } from './accounts.ts';
import { type VaultEffect, vaultAumSf, vaultWithdrawEffect } from './effects.ts';
import { exitParts, sharesForTokens } from './withdraw.ts';

/** Each instruction of a withdrawal may lose a base unit, and a vault has at most 25 reserves. */
const MOST_ROUNDING = 25n;

/**
 * Shares to withdraw for `tokens` base units before the penalty: as many as pay that after the programs' rounding. Where
 * the wallet has too few for that, those that are worth `tokens`.
 */
export function sharesPaying(accounts: VaultAccounts, tokens: bigint, moment: Moment): bigint {
  const worth = sharesForTokens(accounts, tokens, moment);
  for (let extra = 0n; extra <= MOST_ROUNDING; extra += 1n) {
    const shares = extra === 0n ? worth : sharesForTokens(accounts, tokens + extra, moment);
    const { parts, covered, held } = exitParts(accounts, shares, moment);
    if (!covered || shares > held) break;
    const effect = vaultWithdrawEffect(accounts, parts, held, moment);
    if (effect.refused) break;
    if (paid(effect) >= tokens) return shares;
  }
  return worth;
}

/** Before the penalty, base units. */
const paid = ({ tokens, penalty }: VaultEffect): bigint => tokens + penalty;

/**
 * Says what arrives when rounding pays less than was asked for.
 * @param asked base units of tokens; "all" for an exit of everything, null when shares were asked for
 */
export function roundingWarnings(
  accounts: VaultAccounts,
  { amount, all }: BuiltAction,
  effect: VaultEffect,
  moment: Moment,
  asked: Amount | null,
): BuildWarning[] {
  if (effect.refused || (asked === null && !all)) return [];
  const { vault, symbol } = accounts;
  const worth = (vaultAumSf(accounts, moment) * amount) / vault.sharesIssued / FRACTION_ONE;
  const expected = asked === null || asked === 'all' ? worth : asked;
  const missing = expected - paid(effect);
  if (missing <= 0n || missing > MOST_ROUNDING) return [];
  const inTokens = (units: bigint) => `${placePoint(units, Number(vault.tokenMintDecimals))} ${symbol}`;
  const message = `The withdrawal pays exactly ${inTokens(effect.tokens)}: rounding of the programs keeps ${inTokens(missing)} in the vault.`;
  return [warning('ROUNDED_PAYOUT', message)];
}
