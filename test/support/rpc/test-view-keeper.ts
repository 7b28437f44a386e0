import type { StoredAccount } from '@sluice/localnet/chain';
import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { account, testAddress } from '../../../packages/localnet/test/support/chain/fake-chain.ts';
import { accountsAt, fakeRpc } from '../../../packages/rpc-pool/test/support/fake-rpc.ts';
import type { ChainAccount } from '../../../src/chain/accounts/account-page.ts';
import { AccountReader } from '../../../src/chain/accounts/account-reader.ts';
import { PollingSource } from '../../../src/chain/sources/polling.ts';
import type { AccountSource } from '../../../src/chain/view/account-source.ts';
import type { View } from '../../../src/chain/view/view.ts';
import { ViewKeeper } from '../../../src/chain/view/view-keeper.ts';
import { ViewStore } from '../../../src/chain/view/view-store.ts';
import { SluiceError } from '../../../src/errors/sluice-error.ts';

export const VAULTS: readonly Address[] = [1, 2, 3].map(testAddress);
export const RESERVES: readonly Address[] = [11, 12, 13, 14].map(testAddress);

/** Discovery is never behind here. */
const LATE_SLOT = 1_000_000_000n;

/** Every account contains the slot of its data. */
export function accountOf(address: Address, slot: bigint): StoredAccount | null {
  if (RESERVES.includes(address))
    return account(reserve.encode({ lastUpdate: { slot } }), MAINNET_PROGRAMS.klend);
  if (!VAULTS.includes(address)) return null;
  return account(vaultState.encode({ lastFeeChargeTimestamp: slot }), MAINNET_PROGRAMS.kvault);
}

/** The slot of an account's data in a View; undefined when the View does not have it. */
export function slotInView(view: View, address: Address): bigint | undefined {
  const inReserve = view.get('reserve', address)?.value.lastUpdate.slot;
  return inReserve ?? view.get('vault', address)?.value.lastFeeChargeTimestamp;
}

export function announced(address: Address, slot: bigint): ChainAccount {
  const { owner, data, lamports } = accountOf(address, slot) ?? account(new Uint8Array());
  return { address, owner, data, lamports, slot };
}

export interface KeeperOptions {
  /** The slot at which a page is answered. */
  readonly slotOf: (addresses: readonly Address[]) => bigint;
  /** Whether the RPC rejects a `minContextSlot` that it has not reached, or answers with an older slot. */
  readonly honoursMinSlot?: () => boolean;
  /** Slots by which the clock account lags behind the slot of the answer. */
  readonly clockLag?: () => number;
  /** Whether discovery finds nothing, like a node that has lost its index. */
  readonly findsNothing?: () => boolean;
  /** The account at an address. */
  readonly accountAt?: (address: Address, slot: bigint) => StoredAccount | null;
  /** Delays the answer to a page until it resolves. */
  readonly answering?: (addresses: readonly Address[]) => Promise<void>;
  readonly pageBytes?: number;
  readonly discoveryIntervalMs?: number;
  readonly vaultRefreshMs?: number;
  readonly viewRefreshMs?: number;
  readonly onBehind?: (signal: AbortSignal) => Promise<void>;
  /** Sources besides polling. */
  readonly sources?: readonly AccountSource[] | ((views: ViewStore) => readonly AccountSource[]);
}

/** A ViewKeeper over an RPC without a socket. */
export function keeperOver({
  slotOf,
  honoursMinSlot = () => true,
  clockLag = () => 0,
  findsNothing = () => false,
  accountAt = accountOf,
  answering = () => Promise.resolve(),
  discoveryIntervalMs = 3_600_000,
  pageBytes = 2_000_000,
  vaultRefreshMs = 0,
  viewRefreshMs = 100,
  onBehind = () => Promise.resolve(),
  sources = [],
}: KeeperOptions) {
  /** Addresses of each requested page. */
  const pages: (readonly Address[])[] = [];
  const rpc = fakeRpc(async ({ method, params }) => {
    if (method === 'getRecentPerformanceSamples') return [];
    if (method === 'getProgramAccounts') {
      const value = findsNothing() ? [] : ownedBy(params[0] as Address, params[1]);
      return { context: { slot: LATE_SLOT }, value };
    }
    const [addresses, config] = params as [Address[], { minContextSlot?: bigint }];
    const slot = slotOf(addresses);
    pages.push(addresses);
    await answering(addresses);
    if (slot < (config.minContextSlot ?? 0n) && honoursMinSlot()) {
      throw new SluiceError('RPC_REFUSED', { method, rpcCode: -32016, rpcMessage: 'not reached' });
    }
    const clockSlot = slot - BigInt(clockLag());
    return accountsAt(slot, addresses, (address) => accountAt(address, slot), clockSlot);
  });
  const store = new ViewStore(5);
  const keeper = new ViewKeeper({
    rpc,
    reader: new AccountReader(rpc, { commitment: 'confirmed', pageBytes }),
    store,
    programs: MAINNET_PROGRAMS,
    commitment: 'confirmed',
    viewRefreshMs,
    vaultRefreshMs,
    discoveryIntervalMs,
    sources: [
      new PollingSource({ intervalMs: viewRefreshMs, timeoutMs: 60_000 }),
      ...(typeof sources === 'function' ? sources(store) : sources),
    ],
    onBehind,
  });
  return { keeper, store, pages };
}

function ownedBy(program: Address, config: unknown): unknown {
  const { filters } = config as { filters: { memcmp: { bytes: string } }[] };
  const wanted = Buffer.from(filters[0]?.memcmp.bytes ?? '', 'base64');
  const all = [...VAULTS, ...RESERVES];
  const found = all.filter((address) => {
    const candidate = accountOf(address, 0n);
    return candidate?.owner === program && wanted.equals(candidate.data.subarray(0, wanted.length));
  });
  const empty = { owner: program, lamports: 1n, data: ['', 'base64'], executable: false, rentEpoch: 0n };
  return found.map((pubkey) => ({ pubkey, account: { ...empty, space: 0n } }));
}
