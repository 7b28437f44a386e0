import type { Address } from '@solana/kit';
import { distinct } from '../../builders/read-accounts.ts';
import type { MessageAccount } from '../../builders/signing/named-instructions.ts';
import { vaultWalletAddresses } from '../../builders/vault/request.ts';
import { EXPECTED_BYTES } from '../../chain/view/kinds.ts';
import type { View } from '../../chain/view/view.ts';
import type { VaultRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { vaultOfFarm } from '../wallets/farm-stakes.ts';

const STATE_KINDS = ['reserve', 'vault', 'farm'] as const;

/** Accounts of the View that a transaction names and that decide about positions. Those in the View may be some seconds old. */
export function namedState(view: View, accounts: readonly MessageAccount[]): Address[] {
  return distinct(accounts.map(({ address }) => address)).filter((address) =>
    STATE_KINDS.some((kind) => view.get(kind, address) !== undefined),
  );
}

/**
 * Reads what the effects of a transaction start from, in the batch of the other accounts: the session keeps each account
 * that it has read.
 */
export async function readAhead(
  session: Session,
  accounts: readonly MessageAccount[],
  signers: readonly { readonly address: Address }[],
): Promise<void> {
  const { view, programs } = session;
  const ofSigners = namedVaults(view, accounts).flatMap(({ value }) =>
    signers.flatMap(({ address: wallet }) => {
      const { shares, farmUser } = vaultWalletAddresses({ programs, wallet }, value);
      return [shares, farmUser];
    }),
  );
  const addresses = distinct([...namedState(view, accounts), ...ofSigners]);
  await Promise.all(addresses.map((address) => session.account(address, expectedBytes(view, address))));
}

/** Vaults of which a transaction names the account, the share token or the farm. */
function namedVaults(view: View, accounts: readonly MessageAccount[]): VaultRecord[] {
  const vaults = accounts.flatMap(({ address }) => {
    if (address === null) return [];
    const farm = view.get('farm', address);
    const vault = view.get('vault', address) ?? view.vaultOfShares(address);
    return vault ?? (farm && vaultOfFarm(view, farm)) ?? [];
  });
  return [...new Set(vaults)];
}

function expectedBytes(view: View, address: Address): number {
  const kind = STATE_KINDS.find((each) => view.get(each, address) !== undefined);
  return EXPECTED_BYTES[kind ?? 'farmUser'];
}
