import { FarmState } from '@kamino-finance/farms-sdk/dist/@codegen/farms/accounts/FarmState.js';
import { GlobalConfig } from '@kamino-finance/farms-sdk/dist/@codegen/farms/accounts/GlobalConfig.js';
import { UserState } from '@kamino-finance/farms-sdk/dist/@codegen/farms/accounts/UserState.js';
import { Farms } from '@kamino-finance/farms-sdk/dist/Farms.js';
import { getFarmAuthorityPDA, getUserStatePDA } from '@kamino-finance/farms-sdk/dist/utils/utils.js';
import { type Address, createNoopSigner } from '@solana/kit';
import { SLOT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, U64_MAX, WAD, WRAPPED_SOL_MINT } from '../constants.ts';
import { bn } from '../fill.ts';
import { sdkAccount } from '../maths/sdk-account.ts';
import type { Json } from '../normalise.ts';
import { Prng } from '../prng.ts';
import { FixedChain } from './fixed-chain.ts';
import { FARMS } from './lending-world.ts';
import { instructionsJson } from './sdk-instructions.ts';
import { putTokenAccount } from './token-accounts.ts';

interface Reward {
  readonly token?: 'sol' | 'token2022';
  /** Base units that the stake has earned. */
  readonly earned: bigint;
  /** Whether the wallet has an account for it. */
  readonly held?: boolean;
}

interface Case {
  readonly name: string;
  readonly rewards: readonly Reward[];
  /** The stake is an obligation's. */
  readonly delegated?: boolean;
  /** The farm names an oracle account. */
  readonly oracle?: boolean;
}

const cases: readonly Case[] = [
  { name: 'one reward', rewards: [{ earned: 5_000_000n, held: true }] },
  { name: 'the first claim of a reward', rewards: [{ earned: 1n }] },
  { name: 'two rewards', rewards: [{ earned: 5n }, { earned: 7_000_000_000n, held: true }] },
  { name: 'a reward of Token-2022', rewards: [{ earned: 77n, token: 'token2022' }] },
  { name: 'a reward in SOL', rewards: [{ earned: 77n, token: 'sol' }] },
  {
    name: 'a reward with nothing to pay',
    rewards: [
      { earned: 0n, held: true },
      { earned: 3n, held: true },
    ],
  },
  { name: 'an oracle account', rewards: [{ earned: 5n, held: true }], oracle: true },
  { name: 'the stake of an obligation', rewards: [{ earned: 5n }, { earned: 6n }], delegated: true },
];

const mintOf = ({ token }: Reward, prng: Prng): Address => {
  const random = prng.address();
  return token === 'sol' ? WRAPPED_SOL_MINT : random;
};

async function claimCase({ name, rewards, delegated, oracle }: Case): Promise<Json> {
  const prng = new Prng(`sequences/claims/${name}`);
  const chain = new FixedChain();
  const [wallet, farm, config] = [prng.address(), prng.address(), prng.address()];
  const staker = delegated ? prng.address() : wallet;
  const tokens = rewards.map((reward) => ({
    mint: mintOf(reward, prng),
    decimals: bn(6),
    tokenProgram: reward.token === 'token2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM,
  }));
  chain.putDeflated(config, FARMS, sdkAccount(GlobalConfig, {}).data);
  chain.putDeflated(
    farm,
    FARMS,
    sdkAccount(FarmState, {
      globalConfig: config,
      token: { mint: prng.address(), decimals: bn(6), tokenProgram: TOKEN_PROGRAM },
      numRewardTokens: bn(rewards.length),
      rewardInfos: tokens.map((token) => ({ token, rewardsVault: prng.address() })),
      farmVaultsAuthority: await getFarmAuthorityPDA(FARMS, farm),
      isFarmDelegated: delegated ? 1 : 0,
      scopeOraclePriceId: bn(U64_MAX),
      ...(oracle ? { scopePrices: prng.address() } : {}),
    }).data,
  );
  const user = await getUserStatePDA(FARMS, farm, staker);
  const stake = {
    farmState: farm,
    owner: wallet,
    delegatee: staker,
    activeStakeScaled: bn(WAD),
    rewardsIssuedUnclaimed: rewards.map(({ earned }) => bn(earned)),
  };
  chain.putDeflated(user, FARMS, sdkAccount(UserState, stake).data);
  for (const [index, { mint, tokenProgram }] of tokens.entries()) {
    if (rewards[index]?.held) await putTokenAccount(chain, wallet, mint, 1_000n, tokenProgram);
  }
  const client = new Farms(chain.rpc() as ConstructorParameters<typeof Farms>[0]);
  const isDelegated = delegated === true;
  const payer = createNoopSigner(wallet);
  const built = await client.claimForUserForFarmAllRewardsIx(payer, wallet, farm, isDelegated, [staker]);
  return {
    name,
    slot: `${SLOT}`,
    wallet,
    farm,
    user,
    amount: '0',
    accounts: chain.toJson(),
    expected: instructionsJson(built),
  };
}

export async function sequences(): Promise<Json[]> {
  const written: Json[] = [];
  for (const each of cases) written.push(await claimCase(each));
  return written;
}
