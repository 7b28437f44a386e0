import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { distinct } from '../../builders/read-accounts.ts';
import { vaultWalletAddresses } from '../../builders/vault/request.ts';
import type { VaultRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import type { UnknownValue } from '../risk/obligation-what-if.ts';
import { vaultOfFarm } from '../wallets/farm-stakes.ts';
import { farmOfVault, positionOf, type VaultPosition } from '../wallets/wallets.ts';
import type { ChainState, StatesAround } from './states-around.ts';

/** Effect of a transaction on a wallet's shares of a vault. Their shares are zero where it has none. */
export interface VaultEffect {
  readonly wallet: Address;
  readonly vault: Address;
  readonly before: VaultPosition;
  readonly after: VaultPosition;
}

/** A wallet and a vault, and the accounts of shares that the transaction names for them. */
interface TouchedPosition {
  readonly wallet: Address;
  readonly vault: VaultRecord;
  readonly shareAccounts: Set<Address>;
}

/**
 * The vault positions that a transaction may change, in the order of their use. Shares of a wallet are those in its
 * associated account, in other accounts that the transaction names, and in the vault's farm.
 */
export async function vaultEffects(session: Session, states: StatesAround): Promise<VaultEffect[]> {
  const { programs } = session;
  const positions = touchedPositions(states);
  await states.read(positions.flatMap((each) => otherAccounts(programs, each, states.touched)));
  return positions.flatMap((each): VaultEffect[] => {
    const before = positionIn(states.before, programs, each);
    const after = positionIn(states.after, programs, each);
    if (before.totalShares.isZero && after.totalShares.isZero) return [];
    return [{ wallet: each.wallet, vault: each.vault.address, before, after }];
  });
}

/** Why a value is unknown; null when both are known. */
export function unknownValue({ before, after }: VaultEffect): UnknownValue | null {
  if (before.value === null || after.value === null) return 'RESERVE_UNREADABLE';
  return before.value.usd === null || after.value.usd === null ? 'PRICE_UNKNOWN' : null;
}

function touchedPositions({ touched, before, after }: StatesAround): TouchedPosition[] {
  const found = new Map<string, TouchedPosition>();
  const position = (wallet: Address, vault: VaultRecord) => {
    const key = `${wallet} ${vault.address}`;
    const known = found.get(key) ?? { wallet, vault, shareAccounts: new Set<Address>() };
    found.set(key, known);
    return known;
  };
  for (const address of touched) {
    for (const state of [before, after]) {
      const tokens = state.record('tokenAccount', address)?.value;
      const vault = tokens && state.view.vaultOfShares(tokens.mint);
      if (vault) position(tokens.owner, vault).shareAccounts.add(address);
      const user = state.record('farmUser', address)?.value;
      const farm = user && state.view.get('farm', user.farmState);
      const staked = farm && vaultOfFarm(state.view, farm);
      if (staked) position(user.owner, staked);
    }
  }
  return [...found.values()];
}

function otherAccounts(
  programs: ProgramIds,
  { wallet, vault }: TouchedPosition,
  touched: readonly Address[],
): Address[] {
  const { shares, farmUser } = vaultWalletAddresses({ programs, wallet }, vault.value);
  return distinct([shares, farmUser]).filter((address) => !touched.includes(address));
}

function positionIn(
  state: ChainState,
  programs: ProgramIds,
  { wallet, vault: { address, value }, shareAccounts }: TouchedPosition,
): VaultPosition {
  const vault = state.view.get('vault', address);
  if (vault === undefined) throw new RangeError('a vault of the View is in every state of it');
  const { shares, farmUser } = vaultWalletAddresses({ programs, wallet }, value);
  let unstaked = 0n;
  for (const account of new Set([shares, ...shareAccounts])) {
    const tokens = state.record('tokenAccount', account)?.value;
    if (tokens?.owner === wallet && tokens.mint === value.sharesMint) unstaked += tokens.amount;
  }
  const farm = farmOfVault(state.view, vault);
  const user = farmUser && state.record('farmUser', farmUser);
  return positionOf(state, wallet, vault, unstaked, farm && user && { farm, user });
}
