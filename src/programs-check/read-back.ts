import type { Address } from '@solana/kit';
import { isSluiceError } from '../errors/sluice-error.ts';
import { type Rational, ZERO } from '../numeric/rational.ts';
import { obligationAddress, VANILLA_OBLIGATION } from '../programs/klend/addresses.ts';
import type { LendingBuildRequest } from '../services/builds.ts';
import { health, obligationBorrows, obligationDeposits, valueObligation } from '../services/obligations.ts';
import type { Session } from '../services/records.ts';
import { vaultPosition } from '../services/wallets.ts';

/** Figures of a position, as the services tell them; null where one does not apply or cannot be told. */
export interface Figures {
  /** Whole tokens of the deposit, the debt, or what the shares are worth. */
  readonly tokens: Rational | null;
  readonly shares: Rational | null;
  readonly healthFactor: Rational | null;
}

/** What the wallet has in the vault now. */
export async function readVault(session: Session, wallet: Address, vault: Address): Promise<Figures> {
  const position = await vaultPosition(session, wallet, await session.load('vault', vault));
  if (position === null) return { tokens: ZERO, shares: ZERO, healthFactor: null };
  return { tokens: position.value?.amount ?? null, shares: position.totalShares, healthFactor: null };
}

/** What the wallet's vanilla obligation has in the reserve now, on the side that the action is about. */
export async function readLending(
  session: Session,
  wallet: Address,
  market: Address,
  reserve: Address,
  action: LendingBuildRequest['action'],
): Promise<Figures> {
  const { address } = obligationAddress(session.programs.klend, wallet, market, VANILLA_OBLIGATION);
  try {
    const obligation = valueObligation(session, await session.load('obligation', address));
    const rows =
      action === 'deposit' || action === 'withdraw'
        ? obligationDeposits(obligation)
        : obligationBorrows(obligation);
    const row = rows.find(({ position }) => position.reserve === reserve);
    const tokens = row === undefined ? ZERO : (row.amount?.amount ?? null);
    return { tokens, shares: null, healthFactor: health(obligation) };
  } catch (error) {
    // The program closes an obligation that nothing is left in; then another program owns its address, or none.
    const closed = isSluiceError(error, 'ACCOUNT_NOT_FOUND') || isSluiceError(error, 'ACCOUNT_WRONG_OWNER');
    if (!closed) throw error;
    return { tokens: ZERO, shares: null, healthFactor: null };
  }
}
