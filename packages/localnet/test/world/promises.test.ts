import { farmUserState } from '@sluice/protocol/farms/addresses';
import { userState } from '@sluice/protocol/farms/user-state';
import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS, presentAddress, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { beforeAll, describe, expect, it } from 'vitest';
import { createWorldChain, type WorldChain } from '../../src/world/world-chain.ts';
import { accountsOf, decoded, holdingAmount } from './world-reading.ts';

const { klend, farms } = MAINNET_PROGRAMS;
const START = Date.UTC(2026, 5, 15, 13, 20);
const DAY = 86_400_000;
/** Enough for every kind of action. */
const SLOTS = 400;
let now = START;
let localChain: WorldChain;

beforeAll(() => {
  localChain = createWorldChain({ now: () => now });
});

function promisesHold(): void {
  const { addresses } = localChain;
  const vault = decoded(localChain, vaultState, addresses.vault);
  expect(vault.sharesMint).toBe(addresses.sharesMint);
  expect(vault.tokenMint).toBe(addresses.tokenMint);
  expect(presentAddress(vault.vaultFarm)).not.toBeNull();
  expect(
    vault.vaultAllocationStrategy.filter(({ ctokenAllocation }) => ctokenAllocation > 0n).length,
  ).toBeGreaterThan(2);
  for (const address of [addresses.reserve, addresses.depositReserve, addresses.borrowReserve]) {
    expect(decoded(localChain, reserveLayout, address).lendingMarket).toBe(addresses.market);
  }
  const obligation = decoded(localChain, obligationLayout, addresses.obligation);
  expect(obligationAddress(klend, addresses.wallet, addresses.market, VANILLA_OBLIGATION).address).toBe(
    addresses.obligation,
  );
  expect(obligation.tag).toBe(0n);
  expect(obligation.owner).toBe(addresses.wallet);
  expect(obligation.lendingMarket).toBe(addresses.market);
  expect(obligation.deposits.map(({ depositReserve }) => depositReserve)).toContain(addresses.depositReserve);
  expect(obligation.borrows.map(({ borrowReserve }) => borrowReserve)).toContain(addresses.borrowReserve);
  const health =
    Number((obligation.unhealthyBorrowValueSf * 1000n) / obligation.borrowFactorAdjustedDebtValueSf) / 1000;
  expect(health).toBeGreaterThan(1.25);
  expect(health).toBeLessThan(2.4);
  const tags = accountsOf(localChain, klend, obligationLayout)
    .filter(([, { lendingMarket }]) => lendingMarket === addresses.market)
    .map(([, { tag }]) => Number(tag));
  expect(tags).toEqual(expect.arrayContaining([0, 1, 2, 3]));
  const shares = associatedTokenAddress(addresses.wallet, TOKEN_PROGRAM, addresses.sharesMint).address;
  expect(holdingAmount(localChain, shares)).toBeGreaterThan(0n);
  const stake = farmUserState(farms, vault.vaultFarm, addresses.wallet).address;
  expect(decoded(localChain, userState, stake).activeStakeScaled).toBeGreaterThan(0n);
}

describe('the addresses of the examples', () => {
  it('are what the documentation says they are', () => {
    promisesHold();
  });

  it('belong to a wallet with positions older than 30 days', () => {
    const oldest = localChain.transactionsOf(localChain.addresses.wallet).at(-1);
    expect(oldest?.blockTime).toBeLessThan((START - 60 * DAY) / 1000);
  });

  it('include an empty wallet', () => {
    const { emptyWallet } = localChain.addresses;
    expect(localChain.account(emptyWallet)).toBeUndefined();
    expect(localChain.transactionsOf(emptyWallet)).toEqual([]);
  });

  it('remain so after many slots, a night and a month', () => {
    for (let i = 0; i < SLOTS; i += 1) {
      now += 400;
      localChain.tick();
    }
    promisesHold();
    for (const pause of [DAY / 3, 30 * DAY]) {
      now += pause;
      localChain.tick();
      promisesHold();
    }
  });
});

it('gives wallets no more of a token than its reserves can take, whatever the token is priced in', () => {
  const other = createWorldChain({ now: () => Date.UTC(2026, 10, 18, 3, 29, 30) });
  const { world } = other;
  const derived = world.reserves.filter(({ token }) => token.base !== null);
  expect(derived.length).toBeGreaterThan(0);
  for (const { address, token } of derived) {
    const { depositLimit } = decoded(other, reserveLayout, address).config;
    for (const { holdings } of world.wallets)
      expect(holdings.get(token.mint.address)?.amount ?? 0n).toBeLessThan(depositLimit);
  }
});
