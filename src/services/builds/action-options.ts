import type { Rational } from '@sluice/protocol/numeric/rational';
import type { MinShares, VaultDepositOptions } from '../../builders/vault/min-shares.ts';
import { SluiceError } from '../../errors/sluice-error.ts';

export type { VaultDepositOptions };

/** Names of the options of one action, which a plan as a whole does not have. */
export const ACTION_OPTIONS = ['unwrapSol', 'minSharesOut', 'slippageBps'] as const;

/** Options of an action as a request has them: null and undefined are the same as absent. */
export interface ActionOptionsInput {
  readonly unwrapSol?: boolean | null | undefined;
  /** Whole shares. */
  readonly minSharesOut?: Rational | null | undefined;
  /** Basis points. */
  readonly slippageBps?: number | null | undefined;
}

/**
 * Options of one action.
 *
 * @param isVaultDeposit whether the action has a minimum of shares, which no other has
 * @throws BUILD_REFUSED for a minimum of shares of another action, or for two
 */
export function actionOptions(
  given: ActionOptionsInput | null | undefined,
  isVaultDeposit: boolean,
): VaultDepositOptions {
  const minShares = minSharesOf(given);
  if (minShares !== null && !isVaultDeposit) {
    throw new SluiceError('BUILD_REFUSED', {
      reason: 'minSharesOut and slippageBps are options of a vault deposit only; omit them',
    });
  }
  return {
    ...(typeof given?.unwrapSol === 'boolean' ? { unwrapSol: given.unwrapSol } : {}),
    ...(minShares === null ? {} : { minShares }),
  };
}

function minSharesOf(given: ActionOptionsInput | null | undefined): MinShares | null {
  const [shares, slippageBps] = [given?.minSharesOut ?? null, given?.slippageBps ?? null];
  if (shares !== null && slippageBps !== null) {
    const reason = 'minSharesOut and slippageBps exclude each other; pass one of them';
    throw new SluiceError('BUILD_REFUSED', { reason });
  }
  if (shares !== null) return { shares };
  return slippageBps === null ? null : { slippageBps };
}
