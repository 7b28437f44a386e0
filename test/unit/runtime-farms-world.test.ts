import type { Address } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROGRAMS } from '../../src/demo/runtime/programs.ts';
import { createDemoLedger, type DemoLedger } from '../../src/demo/world/demo-ledger.ts';
import { claimableReward, farmRewards } from '../../src/domain/rewards.ts';
import { integer } from '../../src/numeric/rational.ts';
import { farmAuthority, farmUserState, rewardTreasury } from '../../src/programs/farms/addresses.ts';
import { farmState } from '../../src/programs/farms/farm-state.ts';
import { stake, unstake, withdrawUnstakedDeposits } from '../../src/programs/farms/instructions.ts';
import { harvestReward } from '../../src/programs/farms/reward-instructions.ts';
import { vaultState } from '../../src/programs/kvault/vault-state.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  MAINNET_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../src/programs/program-ids.ts';
import { associatedTokenAddress } from '../../src/programs/token/addresses.ts';
import { createAssociatedTokenIdempotent } from '../../src/programs/token/instructions.ts';
import { decodeTokenAccount } from '../../src/programs/token/token-account.ts';
import { existing, readFarm, readUser } from '../support/runtime/farm-accounts.ts';
import { ProgramBench } from '../support/runtime/program-bench.ts';

const { farms, kvault } = MAINNET_PROGRAMS;
const NOW_MS = Date.UTC(2026, 5, 3, 14, 30);
const WAD = 10n ** 18n;

let ledger: DemoLedger;
let bench: ProgramBench;
let wallet: Address;
let farm: Address;
let user: Address;

beforeAll(() => {
  ledger = createDemoLedger({ scale: 1, now: () => NOW_MS });
  // Some time after the last action, so that there is something to issue.
  const clock = { slot: ledger.slot, unixTimestamp: BigInt(NOW_MS / 1000) + 86_400n };
  bench = new ProgramBench(PROGRAMS.values(), clock, { get: (address) => ledger.account(address) });
  wallet = ledger.addresses.wallet;
  farm = vaultState.decode(existing(bench, ledger.addresses.vault), kvault).vaultFarm;
  user = farmUserState(farms, farm, wallet).address;
});

const balanceOf = (address: Address) => {
  const found = bench.get(address);
  return found === undefined ? 0n : decodeTokenAccount(found).amount;
};

describe('in the demo world', () => {
  it('pays the demo wallet what it can claim', () => {
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
    for (const [, account] of ledger.programAccounts(farms)) {
      if (account.data.length !== farmState.size) continue;
      for (const { info } of farmRewards(farmState.decode(account, farms))) {
        const vault = ledger.account(info.rewardsVault);
        const held = vault === undefined ? 0n : decodeTokenAccount(vault).amount;
        expect(held).toBe(info.rewardsAvailable + info.rewardsIssuedUnclaimed);
      }
    }
  });
});
