import { farmVault, rewardTreasury, rewardVault } from '@sluice/protocol/farms/addresses';
import { globalConfig } from '@sluice/protocol/farms/global-config';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Extension } from '@sluice/protocol/token/extensions';
import { encodeMint } from '@sluice/protocol/token/mint';
import {
  decodeTokenAccount,
  encodeTokenAccount,
  type TokenAccount,
} from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import { farmsProgram } from '../../../src/runtime/farms/program.ts';
import { systemProgram } from '../../../src/runtime/system/program.ts';
import { splTokenProgram, token2022Program } from '../../../src/runtime/token/token-programs.ts';
import { account, existing, named } from './farm-accounts.ts';
import { type BenchResult, ProgramBench } from './program-bench.ts';

const { farms } = MAINNET_PROGRAMS;

export const STAKE_MINT = named('stake mint');
export const REWARD_MINT = named('reward mint');
export const GLOBAL_CONFIG = named('global config');

/** Accounts with which stakes can be opened, funded and harvested. Starts at second 0. */
export class FarmBench extends ProgramBench {
  constructor() {
    super([farmsProgram, systemProgram, splTokenProgram, token2022Program], { slot: 0n, unixTimestamp: 0n });
    this.mint(STAKE_MINT);
    this.mint(REWARD_MINT);
    this.treasuryFee(0n);
    this.tokens(this.treasury, REWARD_MINT, named('treasury'), 0n);
  }

  get treasury(): Address {
    return rewardTreasury(farms, GLOBAL_CONFIG, REWARD_MINT).address;
  }

  treasuryFee(bps: bigint): void {
    this.set(GLOBAL_CONFIG, account(farms, globalConfig.encode({ treasuryFeeBps: bps })));
  }

  mint(address: Address, program: Address = TOKEN_PROGRAM, extensions: readonly Extension[] = []): void {
    const data = encodeMint({
      mintAuthority: null,
      supply: 10n ** 18n,
      decimals: 6,
      freezeAuthority: null,
      extensions,
    });
    this.set(address, account(program, data));
  }

  tokens(
    address: Address,
    mint: Address,
    owner: Address,
    amount: bigint,
    state: Partial<TokenAccount> = {},
  ): void {
    const data = encodeTokenAccount({
      mint,
      owner,
      amount,
      delegate: null,
      delegatedAmount: 0n,
      frozen: false,
      nativeRentLamports: null,
      closeAuthority: null,
      extensions: [],
      ...state,
    });
    this.set(address, account(state.tokenProgram ?? TOKEN_PROGRAM, data));
  }

  /** The farm's accounts of staked tokens and of rewards, with the given balances. */
  vaults(farm: Address, authority: Address, staked: bigint, rewards: bigint): void {
    this.tokens(farmVault(farms, farm, STAKE_MINT).address, STAKE_MINT, authority, staked);
    this.tokens(rewardVault(farms, farm, REWARD_MINT).address, REWARD_MINT, authority, rewards);
  }

  balance(address: Address): bigint {
    return decodeTokenAccount(existing(this, address)).amount;
  }

  at(seconds: bigint): void {
    this.clock = { ...this.clock, slot: seconds * 2n, unixTimestamp: seconds };
  }

  /** The number of the failed program's error, the name of a failure of the runtime, or null. */
  outcome(...instructions: readonly EncodedInstruction[]): number | string | null {
    return outcomeOf(this.run(instructions));
  }

  accept(...instructions: readonly EncodedInstruction[]): void {
    const result = this.run(instructions);
    expect(result.failure, result.logs.join('\n')).toBeNull();
  }
}

export function outcomeOf({ failure }: BenchResult): number | string | null {
  if (failure === null) return null;
  return typeof failure.reason === 'string' ? failure.reason : failure.reason.Custom;
}
