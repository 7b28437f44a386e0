import type { StoredAccount } from '@sluice/localnet/chain';
import type { Program } from '@sluice/localnet/runtime/program';
import { PROGRAMS } from '@sluice/localnet/runtime/programs';
import { farmUserState } from '@sluice/protocol/farms/addresses';
import { userState } from '@sluice/protocol/farms/user-state';
import { marketAuthority, referrerTokenStateAddress } from '@sluice/protocol/klend/addresses';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { type Obligation, obligation } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { type Reserve, reserve } from '@sluice/protocol/klend/reserve';
import { type AccountLayout, viewOf } from '@sluice/protocol/layout/account';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import type { Fields, StructInput } from '@sluice/protocol/layout/struct';
import { MAINNET_PROGRAMS, NO_ADDRESS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { encodeMint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount, encodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import {
  type BenchResult,
  ProgramBench,
} from '../../../packages/localnet/test/support/runtime/program-bench.ts';
import { type LendingAccounts, lendingAccounts } from '../../../src/builders/lending/accounts.ts';
import type { LendingRequest } from '../../../src/builders/lending/request.ts';
import {
  type LendingSetting,
  lendingChain,
  lendingRequest,
  MARKET,
  NOW,
  REFERRER,
  reserveAddress,
} from '../builders/lending-accounts.ts';
import { stakingFarms } from './stand-in-programs.ts';

const { klend, farms } = MAINNET_PROGRAMS;
const ALL_PRICE_CHECKS = 63;
const LAMPORTS = 10_000_000n;

/** A market of synthetic reserves, all refreshed in this slot, with everything that actions on it touch. */
export class LendingBench extends ProgramBench {
  readonly accounts: LendingAccounts;
  readonly obligationAddress: Address;

  constructor(setting: LendingSetting, request: LendingRequest, more: readonly Program[] = []) {
    const reserves = setting.reserves ?? [{}];
    const referrerStates = setting.referred ? reserves.map((_, i) => i) : [];
    const read = lendingChain({ ...setting, referrerStates });
    super(
      [...PROGRAMS.values(), stakingFarms, ...more],
      { slot: NOW.slot, unixTimestamp: NOW.timestamp },
      {
        get(address) {
          const found = read(address);
          return found === null ? undefined : { ...found, executable: false };
        },
      },
    );
    this.accounts = lendingAccounts(request, read, NOW.slot);
    this.obligationAddress = this.accounts.obligationAddress;
    this.change(lendingMarket, MARKET, { bumpSeed: BigInt(marketAuthority(klend, MARKET).bump) });
    reserves.forEach((_, i) => {
      this.#completeReserve(reserveAddress(i), setting.referred === true);
    });
  }

  account(address: Address): StoredAccount {
    const found = this.get(address);
    if (found === undefined) throw new RangeError(`No account ${address}`);
    return found;
  }

  /** Overwrites the given fields of an account. */
  change<F extends Fields>(layout: AccountLayout<F>, address: Address, fields: StructInput<F>): void {
    const account = this.account(address);
    const data = account.data.slice();
    layout.body.write(viewOf(data), layout.discriminator.length, fields);
    this.set(address, { ...account, data });
  }

  obligation(): Obligation {
    return obligation.decode(this.account(this.obligationAddress), klend);
  }

  reserve(index: number): Reserve {
    return reserve.decode(this.account(reserveAddress(index)), klend);
  }

  balance(address: Address): bigint {
    return decodeTokenAccount(this.account(address)).amount;
  }

  /** The error number, the runtime's error, or null. */
  failureOf(instructions: readonly EncodedInstruction[]): number | string | null {
    return failureOf(this.run(instructions));
  }

  #completeReserve(address: Address, referred: boolean): void {
    const { config, liquidity, collateral, farmCollateral, farmDebt } = reserve.decode(
      this.account(address),
      klend,
    );
    // A refresh leaves no valid price in a reserve in emergency mode.
    const priceStatus = config.emergencyMode === 0 ? ALL_PRICE_CHECKS : 0;
    this.change(reserve, address, { lastUpdate: { priceStatus } });
    const { mintPubkey: mint, mintDecimals, supplyVault, feeVault, totalAvailableAmount } = liquidity;
    const decimals = Number(mintDecimals);
    const owner = marketAuthority(klend, MARKET).address;
    this.#openMint(mint, decimals, null, 0n);
    this.setBalance(supplyVault, mint, owner, totalAvailableAmount);
    this.setBalance(feeVault, mint, owner, 0n);
    this.#openMint(collateral.mintPubkey, decimals, owner, collateral.mintTotalSupply);
    this.setBalance(collateral.supplyVault, collateral.mintPubkey, owner, collateral.mintTotalSupply);
    for (const farm of [farmCollateral, farmDebt]) {
      if (farm !== NO_ADDRESS) this.#openStake(farm);
    }
    if (referred) this.#openReferrerState(address, mint);
  }

  setBalance(address: Address, mint: Address, owner: Address, amount: bigint): void {
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
    });
    this.set(address, { owner: TOKEN_PROGRAM, lamports: LAMPORTS, data, executable: false });
  }

  #openMint(address: Address, decimals: number, mintAuthority: Address | null, supply: bigint): void {
    const data = encodeMint({ mintAuthority, supply, decimals, freezeAuthority: null, extensions: [] });
    this.set(address, { owner: TOKEN_PROGRAM, lamports: LAMPORTS, data, executable: false });
  }

  #openStake(farm: Address): void {
    const { address } = farmUserState(farms, farm, this.obligationAddress);
    const data = userState.encode({ farmState: farm, delegatee: this.obligationAddress });
    this.set(address, { owner: farms, lamports: LAMPORTS, data, executable: false });
    this.set(farm, { owner: farms, lamports: LAMPORTS, data: new Uint8Array(8336), executable: false });
  }

  #openReferrerState(reserveAt: Address, mint: Address): void {
    const { address, bump } = referrerTokenStateAddress(klend, REFERRER, reserveAt);
    const data = referrerTokenState.encode({ referrer: REFERRER, mint, bump: BigInt(bump) });
    this.set(address, { owner: klend, lamports: LAMPORTS, data, executable: false });
  }
}

export function failureOf({ failure }: BenchResult): number | string | null {
  if (failure === null) return null;
  return typeof failure.reason === 'string' ? failure.reason : failure.reason.Custom;
}

/** A bench for an action on one reserve. */
export function lendingBench(
  setting: LendingSetting,
  action: LendingRequest['action'],
  index = 0,
): LendingBench {
  return new LendingBench(setting, lendingRequest(action, { reserve: reserveAddress(index) }));
}
