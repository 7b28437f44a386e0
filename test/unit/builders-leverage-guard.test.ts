import { farmUserState } from '@sluice/protocol/farms/addresses';
import {
  marketAuthority,
  obligationAddress,
  referrerTokenStateAddress,
  userMetadataAddress,
} from '@sluice/protocol/klend/addresses';
import { reserve } from '@sluice/protocol/klend/reserve';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { StepContext } from '../../src/builders/action.ts';
import { leverageAccounts } from '../../src/builders/leverage/accounts.ts';
import type { LeverageRequest } from '../../src/builders/leverage/request.ts';
import {
  addressNumber,
  lendingChain,
  lendingRequest,
  MARKET,
  NOW,
  REFERRER,
  reserveAddress,
  WALLET,
} from '../support/builders/lending-accounts.ts';

/** The accounts that a swap inside a flash loan may not write, those that do not exist yet included. */

const { klend, farms } = MAINNET_PROGRAMS;
const ROUTER = addressNumber(860);
const AT: StepContext = { slot: NOW.slot, moment: NOW, payer: WALLET, fresh: new Set() };
const read = lendingChain({
  reserves: [{ farmCollateral: true, farmDebt: true }, { farmCollateral: true, farmDebt: true }, {}],
  balances: [1_000n, 1_000n],
  referrerStates: [1],
});
const KEY = {
  tag: 1,
  id: 0,
  seed1: reserveOf(0).liquidity.mintPubkey,
  seed2: reserveOf(1).liquidity.mintPubkey,
};
const OBLIGATION = obligationAddress(klend, WALLET, MARKET, KEY).address;

function reserveOf(index: number) {
  return reserve.decode(read(reserveAddress(index)) ?? expect.fail('no reserve'), klend);
}

function swapWriting(address: Address, role = AccountRole.WRITABLE): LeverageRequest {
  const harmless = { programAddress: ROUTER, accounts: [], data: Uint8Array.of(1) };
  return {
    programs: MAINNET_PROGRAMS,
    wallet: WALLET,
    market: MARKET,
    obligation: { key: KEY },
    collateralReserve: reserveAddress(0),
    debtReserve: reserveAddress(1),
    swap: {
      instructions: [harmless, { ...harmless, accounts: [{ address, role }] }],
      lookupTables: [],
      inAmount: 1n,
      minOut: 1n,
      signers: [],
      quote: null,
    },
    lookupTables: [],
    oracles: lendingRequest('deposit').oracles,
    isShareMint: () => false,
    rewardApys: () => ({ supply: {}, borrow: {} }),
  };
}

const check = (request: LeverageRequest) => leverageAccounts(request, 'deposit', read, AT);

const [collateral, debt] = [reserveOf(0), reserveOf(1)];
const GUARDED: readonly (readonly [string, Address, RegExp])[] = [
  ['the obligation that the action creates', OBLIGATION, /the obligation/],
  ['the registration of the wallet', userMetadataAddress(klend, WALLET).address, /registration/],
  ['the market', MARKET, /the market/],
  ['the authority of the market', marketAuthority(klend, MARKET).address, /authority of the market/],
  ['the collateral reserve', reserveAddress(0), /a reserve/],
  ['the debt reserve', reserveAddress(1), /a reserve/],
  ['another reserve', reserveAddress(2), /account of the lending program/],
  ['the liquidity of the collateral', collateral.liquidity.supplyVault, /vault of a reserve/],
  ['the liquidity of the debt', debt.liquidity.supplyVault, /vault of a reserve/],
  ['the fees of the debt reserve', debt.liquidity.feeVault, /vault of a reserve/],
  ['the vault of collateral tokens', collateral.collateral.supplyVault, /vault of a reserve/],
  ['the mint of collateral tokens', collateral.collateral.mintPubkey, /collateral mint/],
  ['the farm of deposits', collateral.farmCollateral, /farm of a reserve/],
  ['the farm of debts', debt.farmDebt, /farm of a reserve/],
  [
    'a stake that the action creates',
    farmUserState(farms, debt.farmDebt, OBLIGATION).address,
    /stake of the obligation/,
  ],
  [
    'the earnings of a referrer',
    referrerTokenStateAddress(klend, REFERRER, reserveAddress(1)).address,
    /account of the lending program/,
  ],
];

describe('a swap inside a flash loan', () => {
  it.each(GUARDED)('must not write %s', (_, address, what) => {
    const refusal = {
      code: 'SWAP_REFUSED',
      context: { instruction: 1, reason: expect.stringMatching(what) },
    };
    expect(() => check(swapWriting(address))).toThrow(expect.objectContaining(refusal));
  });

  it.each(GUARDED)('may read %s', (_, address) => {
    expect(check(swapWriting(address, AccountRole.READONLY)).collateral.address).toBe(reserveAddress(0));
  });

  it('may write the token accounts of the wallet, and accounts of others', () => {
    const token = associatedTokenAddress(WALLET, TOKEN_PROGRAM, KEY.seed2).address;
    for (const address of [token, WALLET, ROUTER]) {
      const request = swapWriting(address);
      expect(check(request)).toMatchObject({
        request,
        lending: { obligationAddress: OBLIGATION },
        collateral: { address: reserveAddress(0), mint: KEY.seed1 },
        debt: { address: reserveAddress(1), mint: KEY.seed2, token: { address: token } },
      });
    }
  });
});
