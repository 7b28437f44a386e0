import { PothosValidationError } from '@pothos/core';
import { decodeGlobalID } from '@pothos/plugin-relay';

/** The value of an argument as the resolver gets it; undefined when it is not given. */
type ArgumentOf = (name: string) => unknown;

/** The wallets whose token accounts a field searches for a position, as its arguments name them. */
const SEARCHED_WALLETS: Readonly<Record<string, (argument: ArgumentOf) => readonly unknown[]>> = {
  'Query.node': (argument) => [walletOfPosition(argument('id'))],
  'Query.nodes': (argument) => {
    const ids = argument('ids');
    return Array.isArray(ids) ? ids.map(walletOfPosition) : [];
  },
  'Vault.position': (argument) => [argument('wallet')],
};

export function searchedWallets(coordinate: string, argument: ArgumentOf): readonly string[] {
  const wallets = SEARCHED_WALLETS[coordinate]?.(argument) ?? [];
  return wallets.filter((wallet) => typeof wallet === 'string');
}

/** The wallet in the global ID of a vault position; null for an ID of any other type. */
function walletOfPosition(globalId: unknown): string | null {
  if (typeof globalId !== 'string') return null;
  try {
    const { typename, id } = decodeGlobalID(globalId);
    return typename === 'VaultPosition' ? (id.split(':')[0] ?? null) : null;
  } catch (error) {
    // The resolver reports an invalid ID.
    if (error instanceof PothosValidationError) return null;
    throw error;
  }
}
