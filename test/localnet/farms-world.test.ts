import { PROGRAMS } from '@sluice/localnet/runtime/programs';
import { createWorldChain, type WorldChain } from '@sluice/localnet/world/world-chain';
import { farmAuthority, farmUserState, rewardTreasury } from '@sluice/protocol/farms/addresses';
import { farmState } from '@sluice/protocol/farms/farm-state';
import { stake, unstake, withdrawUnstakedDeposits } from '@sluice/protocol/farms/instructions';
import { harvestReward } from '@sluice/protocol/farms/reward-instructions';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { integer } from '@sluice/protocol/numeric/rational';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  MAINNET_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { createAssociatedTokenIdempotent } from '@sluice/protocol/token/instructions';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { existing, readFarm, readUser } from '../../packages/localnet/test/support/runtime/farm-accounts.ts';
import { ProgramBench } from '../../packages/localnet/test/support/runtime/program-bench.ts';
import { claimableReward, farmRewards } from '../../src/domain/rewards.ts';

const { farms, kvault } = MAINNET_PROGRAMS;
const NOW_MS = Date.UTC(2026, 5, 3, 14, 30);
const WAD = 10n ** 18n;

let localChain: WorldChain;
let bench: ProgramBench;
let wallet: Address;
let farm: Address;
let user: Address;

beforeAll(() => {
  localChain = createWorldChain({ scale: 1, now: () => NOW_MS });
  // Some time after the last action, so that there is something to issue.
  const clock = { slot: localChain.slot, unixTimestamp: BigInt(NOW_MS / 1000) + 86_400n };
  bench = new ProgramBench(PROGRAMS.values(), clock, { get: (address) => localChain.account(address) });
  wallet = localChain.addresses.wallet;
  farm = vaultState.decode(existing(bench, localChain.addresses.vault), kvault).vaultFarm;
  user = farmUserState(farms, farm, wallet).address;
});

const balanceOf = (address: Address) => {
  const found = bench.get(address);
  return found === undefined ? 0n : decodeTokenAccount(found).amount;
};

describe('in the generated world', () => {
  it('pays the localnet wallet what it can claim', () => {
    const before = readFarm(bench, farm);
    const moment = {
      slot: bench.clock.slot,
      timestamp: bench.clock.unixTimestamp,
      slotDurationMs: integer(400),
    };
    for (const reward of farmRewards(before)) {
      const { mint, tokenProgram } = reward.info.token;
      const destination = associatedTokenAddress(wallet, tokenProgram, mint).address;
      const claimable = claimableReward(before, readUser(bench, user), reward, moment);
      const held = balanceOf(destination);
      const create = createAssociatedTokenIdempotent.encode(
        ASSOCIATED_TOKEN_PROGRAM,
        {
          payer: wallet,
          associatedToken: destination,
          owner: wallet,
          mint,
          systemProgram: SYSTEM_PROGRAM,
          tokenProgram,
        },
        {},
      );
      const harvest = harvestReward.encode(
        farms,
        {
          payer: wallet,
          userState: user,
          farmState: farm,
          globalConfig: before.globalConfig,
          rewardMint: mint,
          userRewardTokenAccount: destination,
          rewardsVault: reward.info.rewardsVault,
          rewardsTreasuryVault: rewardTreasury(farms, before.globalConfig, mint).address,
          farmVaultsAuthority: farmAuthority(farms, farm).address,
          scopePrices: null,
          tokenProgram,
        },
        { rewardIndex: BigInt(reward.index) },
      );
      const result = bench.run([create, harvest]);
      expect(result.failure, result.logs.join('\n')).toBeNull();
      const paid = balanceOf(destination) - held;
      expect(paid).toBeGreaterThan(0n);
      expect(paid).toBe(claimable);
    }
  });

  it('returns staked shares and takes them again', () => {
    const { farmVault, token } = readFarm(bench, farm);
    const shares = associatedTokenAddress(wallet, TOKEN_PROGRAM, token.mint).address;
    const [held, vaulted] = [balanceOf(shares), balanceOf(farmVault)];
    const staked = readUser(bench, user).activeStakeScaled / WAD;
    const common = { owner: wallet, userState: user, farmState: farm };
    const tokens = { userAta: shares, farmVault, tokenProgram: TOKEN_PROGRAM };
    const exit = bench.run([
      unstake.encode(farms, { ...common, scopePrices: null }, { stakeSharesScaled: staked * WAD }),
      withdrawUnstakedDeposits.encode(
        farms,
        { ...common, ...tokens, farmVaultsAuthority: farmAuthority(farms, farm).address },
        {},
      ),
    ]);
    expect(exit.failure, exit.logs.join('\n')).toBeNull();
    expect([balanceOf(shares), balanceOf(farmVault)]).toEqual([held + staked, vaulted - staked]);
    const back = bench.run([
      stake.encode(
        farms,
        { ...common, ...tokens, tokenMint: token.mint, scopePrices: null },
        { amount: staked },
      ),
    ]);
    expect(back.failure, back.logs.join('\n')).toBeNull();
    expect([balanceOf(shares), balanceOf(farmVault)]).toEqual([held, vaulted]);
    expect(readUser(bench, user).activeStakeScaled).toBe(staked * WAD);
  });

  it('has farms whose vaults cover their rewards', () => {
    for (const [, account] of localChain.programAccounts(farms)) {
      if (account.data.length !== farmState.size) continue;
      for (const { info } of farmRewards(farmState.decode(account, farms))) {
        const vault = localChain.account(info.rewardsVault);
        const held = vault === undefined ? 0n : decodeTokenAccount(vault).amount;
        expect(held).toBe(info.rewardsAvailable + info.rewardsIssuedUnclaimed);
      }
    }
  });
});
