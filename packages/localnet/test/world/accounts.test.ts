import { farmState } from '@sluice/protocol/farms/farm-state';
import { globalConfig } from '@sluice/protocol/farms/global-config';
import { userState } from '@sluice/protocol/farms/user-state';
import {
  ownerQueuedCollateralVault,
  withdrawTicket as ticketAddress,
} from '@sluice/protocol/klend/addresses';
import { lendingGlobalConfig } from '@sluice/protocol/klend/global-config';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { vaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { decodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import {
  CLOCK_SYSVAR,
  LOOKUP_TABLE_PROGRAM,
  MAINNET_PROGRAMS,
  presentAddress,
  SCOPE_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { decodeClock } from '@sluice/protocol/sysvar/clock';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { readTokenMetadata, readTransferFeeConfig } from '@sluice/protocol/token/extensions';
import { decodeMint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { createWorldChain, type WorldChain } from '../../src/world/world-chain.ts';
import { accountsOf, decoded, holdingAmount, mintOf } from './world-reading.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;
const now = Date.UTC(2026, 5, 15, 13, 20);
let localChain: WorldChain;

beforeAll(() => {
  localChain = createWorldChain({ now: () => now });
});

describe('the accounts of the world', () => {
  it('are numerous enough of every kind', () => {
    expect(accountsOf(localChain, klend, lendingMarket).length).toBeGreaterThanOrEqual(4);
    expect(accountsOf(localChain, klend, reserveLayout).length).toBeGreaterThanOrEqual(40);
    expect(accountsOf(localChain, kvault, vaultState).length).toBeGreaterThanOrEqual(30);
    expect(accountsOf(localChain, farms, farmState).length).toBeGreaterThanOrEqual(5);
    expect(accountsOf(localChain, klend, userMetadata).length).toBeGreaterThanOrEqual(150);
    expect(localChain.world.wallets.length).toBeGreaterThanOrEqual(200);
    expect(accountsOf(localChain, klend, obligationLayout).length).toBeGreaterThanOrEqual(500);
  });

  it('all decode with the codec of their kind', () => {
    const positions = [obligationLayout, userMetadata, referrerTokenState, withdrawTicket];
    const kinds = [lendingMarket, reserveLayout, lendingGlobalConfig, ...positions];
    for (const [address, account] of localChain.programAccounts(klend)) {
      const layout = kinds.find(
        ({ discriminator }) => Buffer.compare(account.data.subarray(0, 8), discriminator) === 0,
      );
      expect(layout, address).toBeDefined();
      expect(account.data.length).toBe(layout?.size);
    }
    for (const [, account] of localChain.programAccounts(kvault)) {
      const layout = account.data.length === vaultState.size ? vaultState : vaultGlobalConfig;
      expect(() => layout.decode(account, kvault)).not.toThrow();
    }
    for (const [, account] of localChain.programAccounts(farms)) {
      const layout = [farmState, userState, globalConfig].find(({ size }) => size === account.data.length);
      expect(() => layout?.decode(account, farms)).not.toThrow();
      expect(layout).toBeDefined();
    }
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      for (const [, account] of localChain.programAccounts(program)) {
        const isMint = account.data.length < 165 || account.data[165] === 1;
        expect(() => (isMint ? decodeMint(account) : decodeTokenAccount(account))).not.toThrow();
      }
    }
    for (const [, account] of localChain.programAccounts(LOOKUP_TABLE_PROGRAM)) {
      expect(decodeLookupTable(account).addresses.length).toBeGreaterThan(5);
    }
  });

  it('include vaults of every size and kind', () => {
    const vaults = accountsOf(localChain, kvault, vaultState).map(([, vault]) => vault);
    const allocations = vaults.map(
      (vault) =>
        vault.vaultAllocationStrategy.filter(({ reserve }) => presentAddress(reserve) !== null).length,
    );
    expect(Math.min(...allocations)).toBe(1);
    expect(Math.max(...allocations)).toBe(25);
    expect(vaults.some(({ sharesIssued }) => sharesIssued === 0n)).toBe(true);
    expect(vaults.some(({ sharesIssued }) => sharesIssued > 0n && sharesIssued < 10_000n)).toBe(true);
    expect(vaults.some(({ vaultFarm }) => presentAddress(vaultFarm) === null)).toBe(true);
    expect(vaults.some(({ tokenProgram }) => tokenProgram === TOKEN_2022_PROGRAM)).toBe(true);
    expect(vaults.some(({ withdrawalPenaltyBps }) => withdrawalPenaltyBps > 1n)).toBe(true);
    expect(vaults.some(({ managementFeeBps }) => managementFeeBps > 0n)).toBe(true);
  });

  it('include reserves at both extremes and in special states', () => {
    const reserves = accountsOf(localChain, klend, reserveLayout).map(([, reserve]) => reserve);
    expect(reserves.some(({ liquidity }) => liquidity.borrowedAmountSf === 0n)).toBe(true);
    expect(reserves.some(({ liquidity }) => liquidity.totalAvailableAmount === 0n)).toBe(true);
    expect(new Set(reserves.map(({ config }) => config.status))).toEqual(new Set([0, 1, 2]));
    expect(reserves.some(({ config }) => config.utilizationLimitBlockBorrowingAbovePct > 0)).toBe(true);
    expect(reserves.some(({ config }) => config.hostFixedInterestRateBps > 0)).toBe(true);
    expect(reserves.some(({ config }) => config.debtTermSeconds > 0n)).toBe(true);
    expect(reserves.some(({ farmDebt }) => presentAddress(farmDebt) !== null)).toBe(true);
    expect(reserves.some(({ farmCollateral }) => presentAddress(farmCollateral) !== null)).toBe(true);
  });

  it('include obligations of every tag, near and past liquidation, full, empty, with gaps and referrers', () => {
    const obligations = accountsOf(localChain, klend, obligationLayout).map(([, obligation]) => obligation);
    expect(new Set(obligations.map(({ tag }) => Number(tag)))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
    const health = obligations
      .filter(({ borrowFactorAdjustedDebtValueSf }) => borrowFactorAdjustedDebtValueSf > 0n)
      .map((o) => Number((o.unhealthyBorrowValueSf * 10_000n) / o.borrowFactorAdjustedDebtValueSf) / 10_000);
    expect(health.filter((h) => h < 1).length).toBeGreaterThan(2);
    expect(health.filter((h) => h >= 1 && h < 1.1).length).toBeGreaterThan(10);
    const used = obligations.map(({ deposits, borrows }) => ({
      deposits: deposits.map(({ depositReserve }) => presentAddress(depositReserve) !== null),
      borrows: borrows.map(({ borrowReserve }) => presentAddress(borrowReserve) !== null),
    }));
    expect(used.some(({ deposits, borrows }) => deposits.every(Boolean) && borrows.every(Boolean))).toBe(
      true,
    );
    expect(used.some(({ deposits }) => !deposits.some(Boolean))).toBe(true);
    expect(used.some(({ deposits }) => deposits.lastIndexOf(true) >= deposits.filter(Boolean).length)).toBe(
      true,
    );
    expect(obligations.some(({ elevationGroup }) => elevationGroup > 0)).toBe(true);
    expect(obligations.some(({ referrer }) => presentAddress(referrer) !== null)).toBe(true);
  });

  it('include mints of both token programs, with metadata and transfer fees', () => {
    const mints = [...localChain.programAccounts(TOKEN_2022_PROGRAM)]
      .filter(([, account]) => account.data[165] === 1)
      .map(([, account]) => decodeMint(account).extensions);
    expect(mints.map(readTokenMetadata).map((metadata) => metadata?.symbol)).toContain('HUSD');
    expect(mints.map(readTransferFeeConfig).map((fee) => fee?.newer.basisPoints)).toContain(100);
  });

  it('have a clock and prices of the current slot', () => {
    const clock = localChain.account(CLOCK_SYSVAR);
    expect(clock).toBeDefined();
    if (clock !== undefined) {
      expect(decodeClock(clock).slot).toBe(localChain.slot);
      expect(Number(decodeClock(clock).unixTimestamp)).toBe(now / 1000);
    }
    const [scope] = accountsOf(localChain, SCOPE_PROGRAM, oraclePrices);
    for (const [, { config, liquidity, lastUpdate }] of accountsOf(localChain, klend, reserveLayout)) {
      expect(localChain.slot - lastUpdate.slot).toBeLessThan(1000n);
      let [value, divisor] = [1n << 60n, 1n];
      const { priceChain, priceFeed } = config.tokenInfo.scopeConfiguration;
      expect(priceFeed).toBe(scope?.[0]);
      for (const index of priceChain.filter((entry) => entry !== 65_535)) {
        const price = scope?.[1].prices[index]?.price;
        value *= price?.value ?? 0n;
        divisor *= 10n ** (price?.exp ?? 0n);
      }
      expect(liquidity.marketPriceSf).toBe(value / divisor);
    }
  });
});

describe('balances agree', () => {
  it('between a reserve and its token accounts', () => {
    for (const [, { liquidity, collateral }] of accountsOf(localChain, klend, reserveLayout)) {
      expect(holdingAmount(localChain, liquidity.supplyVault)).toBe(
        liquidity.totalAvailableAmount + liquidity.rewardsAmountAvailable,
      );
      expect(mintOf(localChain, collateral.mintPubkey).supply).toBe(collateral.mintTotalSupply);
    }
  });

  it('between cTokens, deposits, vaults and tickets', () => {
    const deposited = new Map<Address, bigint>();
    const add = (reserve: Address, ctokens: bigint) =>
      deposited.set(reserve, (deposited.get(reserve) ?? 0n) + ctokens);
    for (const [, { deposits }] of accountsOf(localChain, klend, obligationLayout)) {
      for (const { depositReserve, depositedAmount } of deposits) add(depositReserve, depositedAmount);
    }
    const reserves = accountsOf(localChain, klend, reserveLayout);
    for (const [address, { collateral }] of reserves) {
      expect(holdingAmount(localChain, collateral.supplyVault)).toBe(
        (deposited.get(address) ?? 0n) + 100_000n,
      );
    }
    for (const [, { vaultAllocationStrategy }] of accountsOf(localChain, kvault, vaultState)) {
      for (const { reserve, ctokenVault, ctokenAllocation } of vaultAllocationStrategy) {
        if (presentAddress(reserve) === null) continue;
        expect(holdingAmount(localChain, ctokenVault)).toBe(ctokenAllocation);
        add(reserve, ctokenAllocation);
      }
    }
    const byAddress = new Map(reserves);
    for (const [, { owner, reserve, queuedCollateralAmount }] of accountsOf(
      localChain,
      klend,
      withdrawTicket,
    )) {
      const mint = byAddress.get(reserve)?.collateral.mintPubkey ?? reserve;
      const wallet = holdingAmount(localChain, associatedTokenAddress(owner, TOKEN_PROGRAM, mint).address);
      add(reserve, queuedCollateralAmount + wallet);
    }
    for (const [address, { collateral }] of reserves) {
      expect(collateral.mintTotalSupply).toBe((deposited.get(address) ?? 0n) + 100_000n);
    }
  });

  it('between a withdraw queue, its tickets and the vaults of their owners', () => {
    const queues = accountsOf(localChain, klend, reserveLayout).filter(
      ([, { withdrawQueue }]) => withdrawQueue.nextIssuedTicketSequenceNumber > 0n,
    );
    expect(queues).toHaveLength(1);
    for (const [reserve, { withdrawQueue, liquidity, lendingMarket: market }] of queues) {
      const settings = decoded(localChain, lendingMarket, market);
      expect(settings).toMatchObject({
        withdrawTicketIssuanceEnabled: 1,
        withdrawTicketRedemptionEnabled: 1,
        withdrawTicketCancellationEnabled: 1,
      });
      const tickets = accountsOf(localChain, klend, withdrawTicket).filter(
        ([, ticket]) => ticket.reserve === reserve,
      );
      expect(BigInt(tickets.length)).toBe(withdrawQueue.nextIssuedTicketSequenceNumber);
      let queued = 0n;
      for (const [address, ticket] of tickets) {
        const { sequenceNumber, owner, queuedCollateralAmount } = ticket;
        expect(address).toBe(ticketAddress(klend, reserve, sequenceNumber).address);
        const vault = ownerQueuedCollateralVault(klend, reserve, owner).address;
        expect(holdingAmount(localChain, vault)).toBe(queuedCollateralAmount);
        const program = liquidity.tokenProgram;
        const destination = associatedTokenAddress(owner, program, liquidity.mintPubkey).address;
        expect(ticket.userDestinationLiquidityTa).toBe(destination);
        queued += queuedCollateralAmount;
      }
      expect(withdrawQueue.queuedCollateralAmount).toBe(queued);
      expect(tickets.filter(([, { queuedCollateralAmount }]) => queuedCollateralAmount === 0n)).toHaveLength(
        1,
      );
      // Nobody can be paid before somebody repays or deposits.
      expect(liquidity.totalAvailableAmount).toBeLessThan(queued / 1_000n);
    }
  });

  it('between debts of obligations and of reserves', () => {
    const owed = new Map<Address, bigint>();
    const reserves = new Map(accountsOf(localChain, klend, reserveLayout));
    const rateOf = (limbs: readonly bigint[]) => (limbs[0] ?? 0n) + ((limbs[1] ?? 0n) << 64n);
    for (const [, { borrows }] of accountsOf(localChain, klend, obligationLayout)) {
      for (const { borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf } of borrows) {
        const reserve = reserves.get(borrowReserve);
        if (reserve === undefined) continue;
        const rate = rateOf(reserve.liquidity.cumulativeBorrowRateBsf.value);
        const debt = (borrowedAmountSf * rate) / rateOf(cumulativeBorrowRateBsf.value);
        owed.set(borrowReserve, (owed.get(borrowReserve) ?? 0n) + debt);
      }
    }
    for (const [address, { liquidity }] of reserves) {
      const difference = liquidity.borrowedAmountSf - (owed.get(address) ?? 0n);
      expect(difference > -(1n << 62n) && difference < 1n << 62n, address).toBe(true);
    }
  });

  it('between a vault, its token vault and the holders of its shares', () => {
    const held = new Map<Address, bigint>();
    for (const [, account] of localChain.programAccounts(TOKEN_PROGRAM)) {
      if (account.data.length !== 165) continue;
      const { mint, amount } = decodeTokenAccount(account);
      held.set(mint, (held.get(mint) ?? 0n) + amount);
    }
    for (const [, vault] of accountsOf(localChain, kvault, vaultState)) {
      expect(holdingAmount(localChain, vault.tokenVault)).toBe(
        vault.tokenAvailable + vault.availableCrankFunds,
      );
      expect(mintOf(localChain, vault.sharesMint).supply).toBe(vault.sharesIssued);
      expect(held.get(vault.sharesMint) ?? 0n).toBe(vault.sharesIssued);
    }
  });

  it('between a farm and its stakes', () => {
    const staked = new Map<Address, bigint>();
    for (const [, user] of accountsOf(localChain, farms, userState)) {
      staked.set(user.farmState, (staked.get(user.farmState) ?? 0n) + user.activeStakeScaled);
    }
    for (const [address, farm] of accountsOf(localChain, farms, farmState)) {
      expect(staked.get(address) ?? 0n).toBe(farm.totalActiveStakeScaled);
      if (presentAddress(farm.farmVault) !== null) {
        expect(holdingAmount(localChain, farm.farmVault)).toBe(farm.totalStakedAmount);
      }
    }
  });
});
