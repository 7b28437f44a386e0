import { farmUserState } from '@sluice/protocol/farms/addresses';
import { farmState } from '@sluice/protocol/farms/farm-state';
import { initializeUser } from '@sluice/protocol/farms/instructions';
import {
  marketAuthority,
  obligationAddress,
  referrerTokenStateAddress,
  userMetadataAddress,
  VANILLA_OBLIGATION,
} from '@sluice/protocol/klend/addresses';
import { obligation } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { reserve } from '@sluice/protocol/klend/reserve';
import {
  initObligation,
  initObligationFarmsForReserve,
  initReferrerTokenState,
  initUserMetadata,
} from '@sluice/protocol/klend/setup-instructions';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { MAINNET_PROGRAMS, NO_ADDRESS, RENT_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  addressNumber,
  type LendingSetting,
  MARKET,
  NOW,
  REFERRER,
  reserveAddress,
  WALLET,
} from '../support/builders/lending-accounts.ts';
import { type LendingBench, lendingBench } from '../support/localnet/lending-bench.ts';

const { klend, farms } = MAINNET_PROGRAMS;
const OTHER = addressNumber(960);
const TABLE = addressNumber(961);
const METADATA = userMetadataAddress(klend, WALLET);
const OBLIGATION = obligationAddress(klend, WALLET, MARKET, VANILLA_OBLIGATION).address;
const NEW: LendingSetting = { metadata: false, obligation: 'none' };

const benchOf = (setting: LendingSetting) => lendingBench(setting, 'deposit');

function registering(change: { userMetadata?: Address; referrer?: Address | null; rent?: Address } = {}) {
  const accounts = {
    owner: WALLET,
    feePayer: WALLET,
    userMetadata: change.userMetadata ?? METADATA.address,
    referrerUserMetadata: change.referrer ?? null,
    rent: change.rent ?? RENT_SYSVAR,
    systemProgram: SYSTEM_PROGRAM,
  };
  return initUserMetadata.encode(klend, accounts, { userLookupTable: TABLE });
}

function opening(
  args: { tag: number; id: number } = { tag: 0, id: 0 },
  change: { obligation?: Address; metadata?: Address; seeds?: readonly [Address, Address] } = {},
) {
  const [seed1, seed2] = change.seeds ?? [NO_ADDRESS, NO_ADDRESS];
  const derived = obligationAddress(klend, WALLET, MARKET, { ...args, seed1, seed2 }).address;
  const accounts = {
    obligationOwner: WALLET,
    feePayer: WALLET,
    obligation: change.obligation ?? derived,
    lendingMarket: MARKET,
    seed1Account: seed1,
    seed2Account: seed2,
    ownerUserMetadata: change.metadata ?? METADATA.address,
    rent: RENT_SYSVAR,
    systemProgram: SYSTEM_PROGRAM,
  };
  return initObligation.encode(klend, accounts, args);
}

describe('initUserMetadata', () => {
  it('stores owner and lookup table, and takes the rent from the payer', () => {
    const bench = benchOf(NEW);
    const before = bench.account(WALLET).lamports;
    expect(bench.failureOf([registering()])).toBe(null);
    expect(userMetadata.decode(bench.account(METADATA.address), klend)).toMatchObject({
      owner: WALLET,
      referrer: NO_ADDRESS,
      userLookupTable: TABLE,
      bump: BigInt(METADATA.bump),
    });
    const rent = (128n + 1032n) * 6960n;
    expect(bench.account(METADATA.address)).toMatchObject({ lamports: rent, owner: klend });
    expect(bench.account(METADATA.address).data.length).toBe(1032);
    expect(bench.account(WALLET).lamports).toBe(before - rent);
  });

  it('creates the account also when somebody has sent it lamports', () => {
    const bench = benchOf(NEW);
    const sent = { owner: SYSTEM_PROGRAM, lamports: 5n, data: new Uint8Array(), executable: false };
    bench.set(METADATA.address, sent);
    expect(bench.failureOf([registering()])).toBe(null);
    expect(bench.account(METADATA.address)).toMatchObject({ lamports: 1160n * 6960n, owner: klend });
  });

  it('names the referrer by his metadata', () => {
    const bench = benchOf(NEW);
    const data = userMetadata.encode({ owner: REFERRER });
    bench.set(OTHER, { owner: klend, lamports: 1n, data, executable: false });
    expect(bench.failureOf([registering({ referrer: OTHER })])).toBe(null);
    expect(userMetadata.decode(bench.account(METADATA.address), klend).referrer).toBe(REFERRER);
  });

  it('refuses a second time (0), another address (2006), another sysvar (3015), a poor payer (1)', () => {
    const bench = benchOf(NEW);
    expect(bench.failureOf([registering({ userMetadata: OTHER })])).toBe(2006);
    expect(bench.failureOf([registering({ rent: OTHER })])).toBe(3015);
    expect(bench.failureOf([registering({ referrer: MARKET })])).toBe(3002);
    expect(bench.failureOf([registering()])).toBe(null);
    expect(bench.failureOf([registering()])).toBe(0);
    expect(benchOf({ ...NEW, lamports: 1_000n }).failureOf([registering()])).toBe(1);
  });
});

describe('initObligation', () => {
  it('opens an empty obligation that must be refreshed', () => {
    const bench = benchOf({ obligation: 'none' });
    expect(bench.failureOf([opening()])).toBe(null);
    expect(bench.account(OBLIGATION)).toMatchObject({ owner: klend, lamports: (128n + 3344n) * 6960n });
    const opened = obligation.decode(bench.account(OBLIGATION), klend);
    expect(opened).toMatchObject({ tag: 0n, lendingMarket: MARKET, owner: WALLET, referrer: NO_ADDRESS });
    expect(opened.lastUpdate).toMatchObject({ slot: NOW.slot, stale: 1, priceStatus: 0 });
  });

  it('opens the other kinds with the mints as seeds', () => {
    const bench = benchOf({ obligation: 'none', reserves: [{}, {}] });
    const mints = [0, 1].map((index) => bench.reserve(index).liquidity.mintPubkey);
    const [first = NO_ADDRESS, second = NO_ADDRESS] = mints;
    expect(bench.failureOf([opening({ tag: 1, id: 3 }, { seeds: [first, second] })])).toBe(null);
    expect(bench.failureOf([opening({ tag: 2, id: 0 }, { seeds: [first, first] })])).toBe(null);
    const panics = 'ProgramFailedToComplete';
    expect(bench.failureOf([opening({ tag: 2, id: 1 }, { seeds: [first, second] })])).toBe(panics);
    expect(bench.failureOf([opening({ tag: 3, id: 0 }, { seeds: [first, MARKET] })])).toBe(panics);
    expect(bench.failureOf([opening({ tag: 0, id: 0 }, { seeds: [first, first] })])).toBe(panics);
  });

  it('copies the referrer from the metadata of the owner', () => {
    const bench = benchOf({ obligation: 'none' });
    bench.change(userMetadata, METADATA.address, { referrer: REFERRER });
    expect(bench.failureOf([opening()])).toBe(null);
    expect(obligation.decode(bench.account(OBLIGATION), klend).referrer).toBe(REFERRER);
  });

  it('refuses a wallet without metadata (3007), the metadata of another (2006), another address (2006)', () => {
    expect(benchOf(NEW).failureOf([opening()])).toBe(3007);
    const bench = benchOf({ obligation: 'none' });
    bench.set(OTHER, bench.account(METADATA.address));
    expect(bench.failureOf([opening(undefined, { metadata: OTHER })])).toBe(2006);
    expect(bench.failureOf([opening(undefined, { obligation: OTHER })])).toBe(2006);
    expect(benchOf({}).failureOf([opening()])).toBe(0);
  });
});

describe('initReferrerTokenState', () => {
  const { address, bump } = referrerTokenStateAddress(klend, REFERRER, reserveAddress(0));
  const collecting = (change: { state?: Address; market?: Address } = {}) =>
    initReferrerTokenState.encode(
      klend,
      {
        payer: WALLET,
        lendingMarket: change.market ?? MARKET,
        reserve: reserveAddress(0),
        referrer: REFERRER,
        referrerTokenState: change.state ?? address,
        rent: RENT_SYSVAR,
        systemProgram: SYSTEM_PROGRAM,
      },
      {},
    );

  it('opens the account of a referrer for one reserve', () => {
    const bench = benchOf({});
    expect(bench.failureOf([collecting()])).toBe(null);
    const mint = bench.reserve(0).liquidity.mintPubkey;
    expect(referrerTokenState.decode(bench.account(address), klend)).toMatchObject({
      referrer: REFERRER,
      mint,
      amountUnclaimedSf: 0n,
      amountCumulativeSf: 0n,
      bump: BigInt(bump),
    });
    expect(bench.failureOf([collecting()])).toBe(0);
  });

  it('refuses another address (2006) and another market (2001)', () => {
    const bench = benchOf({});
    bench.set(OTHER, bench.account(MARKET));
    expect(bench.failureOf([collecting({ state: OTHER })])).toBe(2006);
    expect(bench.failureOf([collecting({ market: OTHER })])).toBe(2001);
  });
});

describe('initObligationFarmsForReserve', () => {
  const setting: LendingSetting = { reserves: [{ farmCollateral: true, farmDebt: true }] };
  const joining = (bench: LendingBench, mode: number, change: { farm?: Address; owner?: Address } = {}) => {
    const { farmCollateral, farmDebt } = bench.reserve(0);
    const farm = change.farm ?? (mode === 0 ? farmCollateral : farmDebt);
    return initObligationFarmsForReserve.encode(
      klend,
      {
        payer: WALLET,
        owner: change.owner ?? WALLET,
        obligation: bench.obligationAddress,
        lendingMarketAuthority: marketAuthority(klend, MARKET).address,
        reserve: reserveAddress(0),
        reserveFarmState: farm,
        obligationFarm: farmUserState(farms, farm, bench.obligationAddress).address,
        lendingMarket: MARKET,
        farmsProgram: farms,
        rent: RENT_SYSVAR,
        systemProgram: SYSTEM_PROGRAM,
      },
      { mode },
    );
  };

  it.each([0, 1])('calls the farms program for the farm of side %i, signed by the market', (mode) => {
    const bench = benchOf(setting);
    const { farmCollateral, farmDebt } = bench.reserve(0);
    const authority = marketAuthority(klend, MARKET).address;
    for (const farm of [farmCollateral, farmDebt]) {
      bench.change(farmState, farm, { delegateAuthority: authority, isFarmDelegated: 1 });
    }
    const { inner } = bench.run([joining(bench, mode)]);
    const [called] = inner[0] ?? [];
    if (called === undefined) throw new Error('no call');
    expect(initializeUser.decode(called.instruction).accounts).toMatchObject({
      authority,
      payer: WALLET,
      owner: WALLET,
      delegatee: bench.obligationAddress,
      farmState: mode === 0 ? farmCollateral : farmDebt,
    });
  });

  it('refuses another farm (6006), another owner (2001), an obsolete reserve (6082), an unknown side', () => {
    const bench = benchOf(setting);
    expect(bench.failureOf([joining(bench, 0, { farm: OTHER })])).toBe(6006);
    expect(bench.failureOf([joining(bench, 0, { owner: OTHER })])).toBe(2001);
    expect(bench.failureOf([joining(bench, 2)])).toBe('ProgramFailedToComplete');
    bench.change(reserve, reserveAddress(0), { config: { status: 1 } });
    expect(bench.failureOf([joining(bench, 0)])).toBe(6082);
  });
});
