import { FarmState } from '@kamino-finance/farms-sdk/dist/@codegen/farms/accounts/FarmState.js';
import { UserState } from '@kamino-finance/farms-sdk/dist/@codegen/farms/accounts/UserState.js';
import { LendingMarket } from '@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/LendingMarket.js';
import { Obligation } from '@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/Obligation.js';
import { ReferrerTokenState } from '@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/ReferrerTokenState.js';
import { UserMetadata } from '@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/UserMetadata.js';
import { PROGRAM_ID } from '@kamino-finance/klend-sdk/dist/@codegen/klend/programId.js';
import { KaminoMarket } from '@kamino-finance/klend-sdk/dist/classes/market.js';
import type { ObligationType } from '@kamino-finance/klend-sdk/dist/utils/ObligationType.js';
import {
  obligationFarmStatePda,
  referrerTokenStatePda,
  userMetadataPda,
} from '@kamino-finance/klend-sdk/dist/utils/seeds.js';
import { type Address, address } from '@solana/kit';
import { NONE, SF, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, U64_MAX, WRAPPED_SOL_MINT } from '../constants.ts';
import { bn } from '../fill.ts';
import { NOMINAL_SLOT_MS, plainReserve, type WorldReserve, worldReserve } from '../maths/lending-world.ts';
import { sdkAccount } from '../maths/sdk-account.ts';
import type { Json } from '../normalise.ts';
import { Prng } from '../prng.ts';
import { FixedChain } from './fixed-chain.ts';
import { putTokenAccount } from './token-accounts.ts';

export const FARMS = address('FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr');
export const KLEND = PROGRAM_ID;

/** The reserves of the world by what is particular about them. */
export const RESERVES = ['plain', 'sol', 'farms', 'token2022', 'oracles', 'grouped', 'groupDebt'] as const;
export type ReserveName = (typeof RESERVES)[number];

export interface Holdings {
  /** Left out: no such obligation. */
  readonly deposits?: readonly [ReserveName, bigint][];
  /** Base units. */
  readonly borrows?: readonly [ReserveName, bigint][];
  readonly group?: number;
  readonly referred?: boolean;
  /** Reserves for which the referrer has a state. */
  readonly referrerStates?: readonly ReserveName[];
  /** Farm sides in which the obligation has a stake: 0 collateral, 1 debt. */
  readonly farmUsers?: readonly (0 | 1)[];
  readonly metadata?: boolean;
  /** Wrapped SOL of the wallet; left out: no account. */
  readonly wrappedSol?: bigint;
}

/** A market with one reserve of each kind, a wallet, and what the wallet has. */
export class LendingWorld {
  readonly chain = new FixedChain();
  readonly #prng = new Prng('sequences/lending');
  readonly wallet = this.#prng.address();
  readonly marketAddress = this.#prng.address();
  readonly referrer = this.#prng.address();
  readonly farms = [this.#prng.address(), this.#prng.address()] as const;
  readonly #addresses = RESERVES.map(() => this.#prng.address());
  readonly #reserves = RESERVES.map((name, index) => this.#reserve(name, index));
  readonly #market = sdkAccount(LendingMarket, {
    referralFeeBps: 2_000,
    globalAllowedBorrowValue: bn(U64_MAX),
    elevationGroups: [
      {
        id: 1,
        ltvPct: 90,
        liquidationThresholdPct: 93,
        allowNewLoans: 1,
        maxReservesAsCollateral: 8,
        debtReserve: this.address('groupDebt'),
      },
    ],
  });

  constructor() {
    this.chain.putDeflated(this.marketAddress, KLEND, this.#market.data);
    this.#reserves.forEach(({ address: at, data }) => {
      this.chain.putDeflated(at, KLEND, data);
    });
    for (const farm of this.farms) this.chain.putDeflated(farm, FARMS, sdkAccount(FarmState, {}).data);
  }

  address(name: ReserveName): Address {
    return this.#addresses[RESERVES.indexOf(name)] ?? NONE;
  }

  mint(name: ReserveName): Address {
    return this.#world(name).at(NOMINAL_SLOT_MS).getLiquidityMint();
  }

  #world(name: ReserveName): WorldReserve {
    const reserve = this.#reserves[RESERVES.indexOf(name)];
    if (reserve === undefined) throw new Error(`no reserve ${name}`);
    return reserve;
  }

  #reserve(name: ReserveName, index: number): WorldReserve {
    const prng = new Prng(`sequences/reserve/${name}`);
    const fields = plainReserve(
      prng,
      {
        mintDecimals: bn(name === 'sol' ? 9 : 6),
        ...(name === 'sol' ? { mintPubkey: WRAPPED_SOL_MINT } : {}),
        tokenProgram: name === 'token2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM,
      },
      {
        ...(name.startsWith('group')
          ? {
              elevationGroups: [1],
              borrowLimitAgainstThisCollateralInElevationGroup: [bn(10n ** 15n)],
            }
          : {}),
      },
    );
    const { config } = fields;
    const oracles = {
      ...config?.tokenInfo,
      pythConfiguration: { price: prng.address() },
      switchboardConfiguration: { priceAggregator: prng.address(), twapAggregator: prng.address() },
      // The other spelling of "none".
      scopeConfiguration: { priceFeed: NONE },
    };
    return worldReserve(
      this.#addresses[index] ?? NONE,
      {
        ...fields,
        lendingMarket: this.marketAddress,
        ...(name === 'farms' ? { farmCollateral: this.farms[0], farmDebt: this.farms[1] } : {}),
        ...(name === 'oracles' ? { config: { ...config, tokenInfo: oracles } } : {}),
      },
      '1',
    );
  }

  /** Puts what the wallet has on the chain. */
  async hold(type: ObligationType, given: Holdings): Promise<void> {
    const obligation = await type.toPda(this.marketAddress, this.wallet);
    if (given.metadata !== false) {
      const [metadata] = await userMetadataPda(this.wallet, KLEND);
      const fields = { owner: this.wallet, ...(given.referred ? { referrer: this.referrer } : {}) };
      this.chain.putDeflated(metadata, KLEND, sdkAccount(UserMetadata, fields).data);
    }
    if (given.deposits !== undefined || given.borrows !== undefined) {
      this.chain.putDeflated(obligation, KLEND, this.#obligation(type, given));
    }
    for (const name of given.referrerStates ?? []) {
      const state = await referrerTokenStatePda(this.referrer, this.address(name), KLEND);
      this.chain.putDeflated(state, KLEND, sdkAccount(ReferrerTokenState, { referrer: this.referrer }).data);
    }
    for (const side of given.farmUsers ?? []) {
      const user = await obligationFarmStatePda(this.farms[side], obligation, FARMS);
      this.chain.putDeflated(user, FARMS, sdkAccount(UserState, { owner: this.wallet }).data);
    }
    if (given.wrappedSol !== undefined) {
      await putTokenAccount(this.chain, this.wallet, WRAPPED_SOL_MINT, given.wrappedSol);
    }
  }

  #obligation(type: ObligationType, given: Holdings): string {
    const rate = { value: [bn((SF * 11n) / 10n)] };
    return sdkAccount(Obligation, {
      tag: bn(type.toArgs().tag),
      lendingMarket: this.marketAddress,
      owner: this.wallet,
      elevationGroup: given.group ?? 0,
      hasDebt: given.borrows?.length ? 1 : 0,
      ...(given.referred ? { referrer: this.referrer } : {}),
      // A hole in front: slots are not compacted.
      deposits: [
        undefined,
        ...(given.deposits ?? []).map(([name, amount]) => ({
          depositReserve: this.address(name),
          depositedAmount: bn(amount),
        })),
      ],
      borrows: (given.borrows ?? []).map(([name, amount]) => ({
        borrowReserve: this.address(name),
        borrowedAmountSf: bn(amount * SF + 12_345n),
        cumulativeBorrowRateBsf: rate,
      })),
    }).data;
  }

  market(): KaminoMarket {
    return KaminoMarket.createMarket(
      this.chain.rpc() as Parameters<typeof KaminoMarket.createMarket>[0],
      this.#market.state,
      this.marketAddress,
      new Map(this.#reserves.map((reserve) => [reserve.address, reserve.at(NOMINAL_SLOT_MS)])),
      NOMINAL_SLOT_MS,
    );
  }
}

/** The accounts of a world before anyone acts. */
export const lendingBase = (): Json => new LendingWorld().chain.toJson();
