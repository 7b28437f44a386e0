import { farmUserState } from '@sluice/protocol/farms/addresses';
import {
  obligationAddress,
  referrerTokenStateAddress,
  userMetadataAddress,
  VANILLA_OBLIGATION,
} from '@sluice/protocol/klend/addresses';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { textBytes } from '@sluice/protocol/layout/codec';
import { encodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { FRACTION_ONE, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import {
  LOOKUP_TABLE_PROGRAM,
  MAINNET_PROGRAMS,
  NO_ADDRESS,
  SCOPE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { encodeTokenAccount } from '@sluice/protocol/token/token-account';
import { type Address, getAddressDecoder } from '@solana/kit';
import type { LendingAction, LendingRequest } from '../../../src/builders/lending/request.ts';
import type { ReadAccount, ReadAccounts } from '../../../src/builders/read-accounts.ts';
import type { Moment } from '../../../src/domain/moment.ts';
import type { MarketInput, ObligationInput, ReserveInput } from '../domain/domain-accounts.ts';

const { klend, farms } = MAINNET_PROGRAMS;

export const SLOT = 345_678_901n;
export const NOW: Moment = { slot: SLOT, timestamp: 1_750_000_000n, slotDurationMs: integer(400) };
export const LIFETIME = {
  blockhash: 'G1QvawehVpuDipugDLVRMcQm4nHsJQqvba6fZnhLEo6m',
  lastValidBlockHeight: 9n,
};

export interface GivenAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly lamports?: bigint;
}

/** A chain of the given accounts and no others. */
export function accountsOf(given: Iterable<GivenAccount>): ReadAccounts {
  const accounts = new Map<Address, ReadAccount>();
  for (const { lamports = 1_000_000n, ...account } of given) {
    accounts.set(account.address, { ...account, lamports });
  }
  return (address) => accounts.get(address) ?? null;
}

/** A distinct address for each number. */
export function addressNumber(number: number): Address {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(0, 0x0a_00_00_00 + number);
  return getAddressDecoder().decode(bytes);
}

export const WALLET = addressNumber(1);
export const MARKET = addressNumber(2);
export const REFERRER = addressNumber(3);
export const TABLE = addressNumber(4);
const ORACLE = addressNumber(900);
const END_OF_CHAIN = 65_535;
export const reserveAddress = (index: number) => addressNumber(100 + index);
const mintOf = (index: number, sol: boolean) => (sol ? WRAPPED_SOL_MINT : addressNumber(200 + index));

export interface ReserveSetting {
  readonly sol?: boolean;
  readonly decimals?: number;
  readonly tokenProgram?: Address;
  readonly farmCollateral?: boolean;
  readonly farmDebt?: boolean;
  /** Base units. */
  readonly available?: bigint;
  readonly borrowed?: bigint;
  readonly collateral?: bigint;
  /** Stored in the reserve, and the oracle's price too unless `oracle` says otherwise. */
  readonly priceUsd?: bigint;
  /** Null: no oracle can be read. */
  readonly oracle?: {
    readonly priceUsd?: bigint;
    readonly exp?: bigint;
    readonly ageSeconds?: bigint;
  } | null;
  readonly change?: ReserveInput;
  readonly config?: ReserveInput['config'];
}

export interface LendingSetting {
  readonly reserves?: readonly ReserveSetting[];
  /** Reserve and collateral tokens. */
  readonly deposits?: readonly (readonly [number, bigint])[];
  /** Reserve and base units. */
  readonly borrows?: readonly (readonly [number, bigint])[];
  readonly obligation?: 'open' | 'none' | 'closed';
  readonly metadata?: boolean;
  readonly referred?: boolean;
  readonly referrerStates?: readonly number[];
  readonly farmUsers?: readonly { reserve: number; side: 'collateral' | 'debt' }[];
  /** Balance of the wallet in each reserve's token; undefined: no account. */
  readonly balances?: readonly (bigint | undefined)[];
  readonly lamports?: bigint;
  readonly table?: readonly Address[];
  readonly market?: MarketInput;
  readonly change?: ObligationInput;
}

export const USUAL_RESERVE: ReserveSetting = {};

const farmOf = (index: number, side: 'collateral' | 'debt') =>
  addressNumber((side === 'collateral' ? 300 : 400) + index);

export function reserveAccount(index: number, setting: ReserveSetting): GivenAccount {
  const {
    available = 600_000_000_000n,
    borrowed = 400_000_000_000n,
    collateral = 1_000_000_000_000n,
  } = setting;
  const data = reserve.encode({
    version: 1n,
    lastUpdate: { slot: SLOT },
    lendingMarket: MARKET,
    farmCollateral: setting.farmCollateral ? farmOf(index, 'collateral') : NO_ADDRESS,
    farmDebt: setting.farmDebt ? farmOf(index, 'debt') : NO_ADDRESS,
    ...setting.change,
    liquidity: {
      mintPubkey: mintOf(index, setting.sol === true),
      supplyVault: addressNumber(500 + index),
      feeVault: addressNumber(600 + index),
      totalAvailableAmount: available,
      borrowedAmountSf: borrowed * FRACTION_ONE,
      cumulativeBorrowRateBsf: { value: [FRACTION_ONE, 0n, 0n, 0n] },
      marketPriceSf: (setting.priceUsd ?? 1n) * FRACTION_ONE,
      marketPriceLastUpdatedTs: NOW.timestamp - 5n,
      mintDecimals: BigInt(setting.decimals ?? (setting.sol ? 9 : 6)),
      tokenProgram: setting.tokenProgram ?? TOKEN_PROGRAM,
      ...setting.change?.liquidity,
    },
    collateral: {
      mintPubkey: addressNumber(700 + index),
      supplyVault: addressNumber(800 + index),
      mintTotalSupply: collateral,
    },
    config: {
      loanToValuePct: 75,
      liquidationThresholdPct: 85,
      borrowFactorPct: 100n,
      depositLimit: 10n ** 15n,
      borrowLimit: 10n ** 15n,
      borrowLimitOutsideElevationGroup: U64_MAX,
      borrowRateCurve: {
        points: Array.from({ length: 11 }, (_, knot) =>
          knot === 0
            ? { utilizationRateBps: 0, borrowRateBps: 100 }
            : { utilizationRateBps: 10_000, borrowRateBps: 5_000 },
        ),
      },
      tokenInfo: {
        name: textBytes(setting.sol ? 'SOL' : `TOK${index}`),
        maxAgePriceSeconds: 120n,
        scopeConfiguration: {
          priceFeed: setting.oracle === null ? NO_ADDRESS : ORACLE,
          priceChain: [index, END_OF_CHAIN, END_OF_CHAIN, END_OF_CHAIN],
        },
      },
      ...setting.config,
    },
  });
  return { address: reserveAddress(index), owner: klend, data };
}

/** The price of each reserve, at its index. */
function oracleAccount(reserves: readonly ReserveSetting[]): GivenAccount {
  const prices = reserves.map(({ priceUsd = 1n, oracle }) => ({
    price: { value: oracle?.priceUsd ?? priceUsd, exp: oracle?.exp ?? 0n },
    unixTimestamp: NOW.timestamp - (oracle?.ageSeconds ?? 5n),
  }));
  return { address: ORACLE, owner: SCOPE_PROGRAM, data: oraclePrices.encode({ prices }) };
}

function obligationData({ deposits = [], borrows = [], referred, change }: LendingSetting): Uint8Array {
  return obligation.encode({
    lendingMarket: MARKET,
    owner: WALLET,
    referrer: referred ? REFERRER : NO_ADDRESS,
    deposits: deposits.map(([index, depositedAmount]) => ({
      depositReserve: reserveAddress(index),
      depositedAmount,
    })),
    borrows: borrows.map(([index, amount]) => ({
      borrowReserve: reserveAddress(index),
      borrowedAmountSf: amount * FRACTION_ONE,
      cumulativeBorrowRateBsf: { value: [FRACTION_ONE, 0n, 0n, 0n] },
    })),
    ...change,
  });
}

/** A market, its reserves, and one wallet with its vanilla obligation. */
export function lendingChain(setting: LendingSetting = {}): ReadAccounts {
  const { reserves = [USUAL_RESERVE], balances = [], metadata = true, obligation: state = 'open' } = setting;
  const address = obligationAddress(klend, WALLET, MARKET, VANILLA_OBLIGATION).address;
  const given: GivenAccount[] = [
    {
      address: MARKET,
      owner: klend,
      data: lendingMarket.encode({ globalAllowedBorrowValue: U64_MAX, ...setting.market }),
    },
    {
      address: WALLET,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      lamports: setting.lamports ?? 10n ** 10n,
    },
    ...reserves.map((each, index) => reserveAccount(index, each)),
    oracleAccount(reserves),
  ];
  if (metadata) {
    const data = userMetadata.encode({ owner: WALLET, userLookupTable: setting.table ? TABLE : NO_ADDRESS });
    given.push({ address: userMetadataAddress(klend, WALLET).address, owner: klend, data });
  }
  if (setting.table) given.push(tableAccount(TABLE, setting.table));
  if (state === 'open') given.push({ address, owner: klend, data: obligationData(setting) });
  if (state === 'closed') given.push({ address, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
  for (const index of setting.referrerStates ?? []) {
    const at = referrerTokenStateAddress(klend, REFERRER, reserveAddress(index)).address;
    given.push({ address: at, owner: klend, data: new Uint8Array(8) });
  }
  for (const { reserve: index, side } of setting.farmUsers ?? []) {
    given.push({
      address: farmUserState(farms, farmOf(index, side), address).address,
      owner: farms,
      data: new Uint8Array(8),
    });
  }
  balances.forEach((amount, index) => {
    if (amount !== undefined) given.push(tokenAccount(reserves[index] ?? {}, index, amount));
  });
  return accountsOf(given);
}

function tokenAccount(setting: ReserveSetting, index: number, amount: bigint): GivenAccount {
  const owner = setting.tokenProgram ?? TOKEN_PROGRAM;
  const mint = mintOf(index, setting.sol === true);
  return walletTokenAccount(mint, owner, amount);
}

export function walletTokenAccount(mint: Address, tokenProgram: Address, amount: bigint): GivenAccount {
  return {
    address: associatedTokenAddress(WALLET, tokenProgram, mint).address,
    owner: tokenProgram,
    data: encodeTokenAccount({
      mint,
      owner: WALLET,
      amount,
      delegate: null,
      delegatedAmount: 0n,
      frozen: false,
      nativeRentLamports: mint === WRAPPED_SOL_MINT ? 2_039_280n : null,
      closeAuthority: null,
      extensions: [],
    }),
  };
}

export function tableAccount(
  address: Address,
  addresses: readonly Address[],
  change: Partial<Parameters<typeof encodeLookupTable>[0]> = {},
): GivenAccount {
  const data = encodeLookupTable({
    deactivationSlot: null,
    lastExtendedSlot: SLOT - 10n,
    lastExtendedStartIndex: 0,
    authority: null,
    addresses,
    ...change,
  });
  return { address, owner: LOOKUP_TABLE_PROGRAM, data };
}

export function lendingRequest(action: LendingAction, change: Partial<LendingRequest> = {}): LendingRequest {
  return {
    action,
    programs: MAINNET_PROGRAMS,
    wallet: WALLET,
    market: MARKET,
    reserve: reserveAddress(0),
    obligation: { key: VANILLA_OBLIGATION },
    lookupTables: [],
    oracles: [ORACLE],
    ...change,
  };
}
