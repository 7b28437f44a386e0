import type { Address } from '@solana/kit';
import type { EventLookups, EventProblem, VaultChange } from './events.ts';
import type { TokenAccounts } from './token-accounts.ts';
import type { TokenMovement } from './token-movements.ts';

interface ShareTransfer {
  readonly changes: readonly VaultChange[];
  readonly problems: readonly EventProblem[];
}

const NONE: ShareTransfer = { changes: [], problems: [] };

/**
 * Events of a plain share transfer: out of one wallet's position, into another's. A transfer between accounts of one owner
 * produces none; burnt shares have no counterparty.
 */
export function shareTransfer(
  movement: TokenMovement,
  accounts: TokenAccounts,
  lookups: EventLookups,
): ShareTransfer {
  const { source, destination } = movement;
  const mint = movement.mint ?? mintOf(source, accounts) ?? mintOf(destination, accounts);
  const vault = mint === null ? null : lookups.vaultOfShares(mint);
  if (vault === null || movement.sent === 0n || source === destination) return NONE;
  const [from, to] = [ownerOf(source, accounts), ownerOf(destination, accounts)];
  if (from !== null && from === to) return NONE;
  const change = (kind: VaultChange['kind'], wallet: Address, other: Address | null, shares: bigint) =>
    ({
      kind,
      vault,
      wallet,
      tokens: null,
      shares,
      reserve: null,
      reserveTokens: 0n,
      counterparty: other,
    }) as const;
  return {
    changes: [
      ...(from === null ? [] : [change('transferOut', from, to, movement.sent)]),
      ...(to === null ? [] : [change('transferIn', to, from, movement.received)]),
    ],
    problems: [
      ...(source !== null && from === null ? [unknown(source)] : []),
      ...(destination !== null && to === null ? [unknown(destination)] : []),
    ],
  };
}

function unknown(account: Address): EventProblem {
  return { kind: 'ownerUnknown', account };
}

function mintOf(account: Address | null, accounts: TokenAccounts): Address | null {
  return account === null ? null : accounts.mintOf(account);
}

function ownerOf(account: Address | null, accounts: TokenAccounts): Address | null {
  return account === null ? null : accounts.ownerOf(account);
}
