import { FarmState } from '@kamino-finance/farms-sdk/dist/@codegen/farms/accounts/FarmState.js';
import { UserState } from '@kamino-finance/farms-sdk/dist/@codegen/farms/accounts/UserState.js';
import {
  getFarmAuthorityPDA,
  getFarmVaultPDA,
  getUserStatePDA,
} from '@kamino-finance/farms-sdk/dist/utils/utils.js';
import { VaultState } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/accounts/VaultState.js';
import { PROGRAM_ID as KVAULT } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/programId.js';
import { getCTokenVaultPda } from '@kamino-finance/klend-sdk/dist/classes/vault.js';
import type { Address } from '@solana/kit';
import {
  SF,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  U64_MAX,
  UNIX_SECONDS,
  WAD,
  WRAPPED_SOL_MINT,
} from '../constants.ts';
import { bn } from '../fill.ts';
import { NOMINAL_SLOT_MS, plainReserve, type WorldReserve, worldReserve } from '../maths/lending-world.ts';
import { sdkAccount } from '../maths/sdk-account.ts';
import { Prng } from '../prng.ts';
import { FixedChain } from './fixed-chain.ts';
import { FARMS, KLEND } from './lending-world.ts';
import { putTokenAccount } from './token-accounts.ts';

export interface VaultSetting {
  readonly token?: 'sol' | 'token2022';
  readonly farm?: boolean;
  /** Base units that the vault has idle. */
  readonly idle: bigint;
  /** cTokens in each reserve and base units that the reserve has free. */
  readonly invested: readonly (readonly [bigint, bigint])[];
  /** Of the wallet; left out: no account. */
  readonly shares?: bigint;
  /** Left out: no stake. */
  readonly staked?: bigint;
  readonly wrappedSol?: bigint;
}

export interface VaultWorld {
  readonly chain: FixedChain;
  readonly wallet: Address;
  readonly vault: Address;
  readonly state: VaultState;
  readonly farmState: FarmState | null;
  readonly reserves: readonly WorldReserve[];
}

const mintOf = (token: VaultSetting['token'], prng: Prng): Address => {
  const random = prng.address();
  return token === 'sol' ? WRAPPED_SOL_MINT : random;
};

/** A vault over as many reserves, each in a market of its own but the first two, and a wallet. */
export async function vaultWorld(name: string, setting: VaultSetting): Promise<VaultWorld> {
  const prng = new Prng(`sequences/vault/${name}`);
  const chain = new FixedChain();
  const [wallet, vault, sharesMint, farm] = [prng.address(), prng.address(), prng.address(), prng.address()];
  const tokenMint = mintOf(setting.token, prng);
  const tokenProgram = setting.token === 'token2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
  const markets = setting.invested.map(() => prng.address());
  const reserves = setting.invested.map(([, free], index) =>
    worldReserve(
      prng.address(),
      {
        ...plainReserve(prng, {
          mintPubkey: tokenMint,
          tokenProgram,
          totalAvailableAmount: bn(free),
          borrowedAmountSf: bn((10n ** 13n - free) * SF),
          accumulatedProtocolFeesSf: bn(0),
          accumulatedReferrerFeesSf: bn(0),
          pendingReferrerFeesSf: bn(0),
        }),
        collateral: {
          mintPubkey: prng.address(),
          supplyVault: prng.address(),
          mintTotalSupply: bn(9n * 10n ** 12n),
        },
        lendingMarket: markets[index === 1 ? 0 : index] ?? vault,
      },
      '1',
    ),
  );
  for (const { address, data } of reserves) chain.putDeflated(address, KLEND, data);
  const allocations = await Promise.all(
    reserves.map(async ({ address }, index) => ({
      reserve: address,
      ctokenVault: await getCTokenVaultPda(vault, address, KVAULT),
      targetAllocationWeight: bn(100),
      tokenAllocationCap: bn(U64_MAX),
      ctokenAllocation: bn(setting.invested[index]?.[0] ?? 0n),
    })),
  );
  const account = sdkAccount(VaultState, {
    tokenMint,
    tokenProgram,
    tokenMintDecimals: bn(setting.token === 'sol' ? 9 : 6),
    sharesMintDecimals: bn(setting.token === 'sol' ? 9 : 6),
    tokenVault: prng.address(),
    baseVaultAuthority: prng.address(),
    sharesMint,
    sharesIssued: bn(10n ** 12n),
    tokenAvailable: bn(setting.idle),
    lastFeeChargeTimestamp: bn(UNIX_SECONDS),
    // A hole between the places: the account does not close up.
    vaultAllocationStrategy: [allocations[0], undefined, ...allocations.slice(1)],
    vaultLookupTable: prng.address(),
    ...(setting.farm ? { vaultFarm: farm } : {}),
  });
  chain.putDeflated(vault, KVAULT, account.data);
  const farmAccount = sdkAccount(FarmState, {
    token: { mint: sharesMint, decimals: bn(6), tokenProgram: TOKEN_PROGRAM },
    farmVault: await getFarmVaultPDA(FARMS, farm, sharesMint),
    farmVaultsAuthority: await getFarmAuthorityPDA(FARMS, farm),
    totalStakedAmount: bn(setting.staked ?? 0n),
    totalActiveStakeScaled: bn((setting.staked ?? 0n) * WAD),
  });
  if (setting.farm) chain.putDeflated(farm, FARMS, farmAccount.data);
  if (setting.staked !== undefined) {
    const user = await getUserStatePDA(FARMS, farm, wallet);
    const fields = { farmState: farm, owner: wallet, activeStakeScaled: bn(setting.staked * WAD) };
    chain.putDeflated(user, FARMS, sdkAccount(UserState, fields).data);
  }
  if (setting.shares !== undefined) await putTokenAccount(chain, wallet, sharesMint, setting.shares);
  if (setting.wrappedSol !== undefined) {
    await putTokenAccount(chain, wallet, WRAPPED_SOL_MINT, setting.wrappedSol);
  }
  return {
    chain,
    wallet,
    vault,
    state: account.state,
    farmState: setting.farm ? farmAccount.state : null,
    reserves,
  };
}

export const sdkReserves = ({ reserves }: VaultWorld) =>
  new Map(reserves.map((reserve) => [reserve.address, reserve.at(NOMINAL_SLOT_MS)]));
