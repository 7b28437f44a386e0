import { farmState } from '@sluice/protocol/farms/farm-state';
import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { expect, it } from 'vitest';
import { account, testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { keeperOver, RESERVES, VAULTS } from '../support/rpc/test-view-keeper.ts';

const MINTS = RESERVES.map((_, i) => testAddress(100 + i));
const FARM = testAddress(200);
const FARM_MINT = testAddress(201);
const VAULT_MINT = testAddress(202);

/** Reserves reference a mint each and one farm, which references another mint. Vaults reference a single mint. */
function accountAt(address: Address) {
  const mintPubkey = MINTS[RESERVES.indexOf(address)];
  if (mintPubkey !== undefined)
    return account(
      reserve.encode({ liquidity: { mintPubkey }, farmCollateral: FARM }),
      MAINNET_PROGRAMS.klend,
    );
  if (VAULTS.includes(address))
    return account(vaultState.encode({ tokenMint: VAULT_MINT }), MAINNET_PROGRAMS.kvault);
  if (address === FARM)
    return account(farmState.encode({ token: { mint: FARM_MINT } }), MAINNET_PROGRAMS.farms);
  return null;
}

const timesRead = (pages: readonly (readonly Address[])[], address: Address) =>
  pages.filter((page) => page.includes(address)).length;

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; turns < 100 && !holds(); turns += 1) await turnOfTheLoop();
}

/** One vault per page. */
const PAGE_BYTES = 50_000;

it('all accounts that reserves reference are read while vaults are in flight', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { keeper, pages } = keeperOver({
    slotOf: () => 100n,
    accountAt,
    pageBytes: PAGE_BYTES,
    answering: (addresses) =>
      addresses.some((each) => VAULTS.includes(each)) ? released : Promise.resolve(),
  });
  const view = keeper.read();
  await until(() => timesRead(pages, FARM_MINT) > 0);
  expect(timesRead(pages, FARM_MINT)).toBe(1);
  expect(timesRead(pages, VAULT_MINT)).toBe(0);
  release();
  await view;
  expect(timesRead(pages, VAULT_MINT)).toBe(1);
});

it('accounts referenced by one kind are read together, and each only once', async () => {
  const { keeper, pages } = keeperOver({ slotOf: () => 100n, accountAt, pageBytes: 10_500 });
  await keeper.read();
  // One page per reserve, and one for all accounts that the reserves reference.
  expect(RESERVES.every((each) => pages.some((page) => page.length === 3 && page.includes(each)))).toBe(true);
  expect(pages.filter((page) => MINTS.some((mint) => page.includes(mint)))).toHaveLength(1);
  for (const address of [...RESERVES, ...VAULTS, ...MINTS, FARM, FARM_MINT, VAULT_MINT])
    expect(timesRead(pages, address)).toBe(1);
});

it('accounts referenced by an announced account are read with the next refresh', async () => {
  const { keeper, pages } = keeperOver({
    slotOf: () => 100n,
    vaultRefreshMs: 3_600_000,
    accountAt: (address) =>
      VAULTS.includes(address) ? account(vaultState.encode({}), MAINNET_PROGRAMS.kvault) : accountAt(address),
  });
  await keeper.read();
  const [address = testAddress(1)] = VAULTS;
  const { data, owner, lamports } = account(
    vaultState.encode({ tokenMint: VAULT_MINT }),
    MAINNET_PROGRAMS.kvault,
  );
  keeper.announce('vault', { address, data, owner, lamports, slot: 101n });
  await keeper.read();
  expect(timesRead(pages, VAULT_MINT)).toBe(0);
  await keeper.read();
  expect(timesRead(pages, VAULT_MINT)).toBe(1);
});

it('a failed refresh starts no further reads', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const failure = new Error('no vaults today');
  const { keeper, pages } = keeperOver({
    slotOf: () => 100n,
    accountAt,
    pageBytes: PAGE_BYTES,
    answering: async (addresses) => {
      if (addresses.some((each) => VAULTS.includes(each))) throw failure;
      await released;
    },
  });
  await expect(keeper.read()).rejects.toBe(failure);
  release();
  await until(() => timesRead(pages, FARM) > 0);
  expect(timesRead(pages, FARM)).toBe(0);
});
