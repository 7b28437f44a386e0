import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import {
  COMPUTE_BUDGET_PROGRAM,
  MAINNET_PROGRAMS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { encodeTokenAccount } from '@sluice/protocol/token/token-account';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { checkSwapAccounts, type SwapGuard } from '../../src/builders/leverage/swap-guard.ts';
import { checkSwapForm, type SwapLeg } from '../../src/builders/leverage/swap-leg.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { accountsOf, addressNumber, WALLET } from '../support/builders/lending-accounts.ts';

const ROUTER = addressNumber(50);
const PAYER = addressNumber(51);
const MAKER = addressNumber(52);
const OBLIGATION = addressNumber(53);
const OWN = addressNumber(54);
const SHARES = addressNumber(55);
const SHARE_MINT = addressNumber(56);
const POSITIONS = [addressNumber(57), addressNumber(58), addressNumber(59)] as const;

type Account = readonly [Address, AccountRole];

const call = (
  accounts: readonly Account[] = [],
  programAddress = ROUTER,
  data: readonly number[] = [1],
): EncodedInstruction => ({
  programAddress,
  accounts: accounts.map(([address, role]) => ({ address, role })),
  data: Uint8Array.from(data),
});

const leg = (instructions: readonly EncodedInstruction[], more: Partial<SwapLeg> = {}): SwapLeg => ({
  instructions,
  lookupTables: [],
  inAmount: null,
  quote: null,
  minOut: 1n,
  signers: [],
  ...more,
});

const { klend, kvault, farms } = MAINNET_PROGRAMS;
const shares = encodeTokenAccount({
  mint: SHARE_MINT,
  owner: WALLET,
  amount: 5n,
  delegate: null,
  delegatedAmount: 0n,
  frozen: false,
  nativeRentLamports: null,
  closeAuthority: null,
  extensions: [],
});

const guard: SwapGuard = {
  programs: MAINNET_PROGRAMS,
  wallet: WALLET,
  signers: new Set([WALLET, PAYER, MAKER]),
  untouchable: new Map([[OBLIGATION, 'the obligation']]),
  tokenAccounts: new Set([OWN]),
  isShareMint: (mint) => mint === SHARE_MINT,
  read: accountsOf([
    { address: SHARES, owner: TOKEN_PROGRAM, data: shares },
    { address: POSITIONS[0], owner: klend, data: new Uint8Array(8) },
    { address: POSITIONS[1], owner: kvault, data: new Uint8Array(8) },
    { address: POSITIONS[2], owner: farms, data: new Uint8Array(8) },
  ]),
};

/** The refusal as [instruction, message], or null. */
function refusalOf(check: () => void): [number | null, string] | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!isCodedError(error, 'SWAP_REFUSED')) throw error;
    return [error.context.instruction, error.context.reason];
  }
}

const form = (given: SwapLeg) => refusalOf(() => checkSwapForm(given, MAINNET_PROGRAMS));
const accounts = (...instructions: EncodedInstruction[]) =>
  refusalOf(() => checkSwapAccounts(leg(instructions), guard));

describe('the form of a swap', () => {
  it('accepts a call of any other program', () => {
    expect(form(leg([call()]))).toBeNull();
  });

  it.each<[string, SwapLeg, number | null, RegExp]>([
    ['nothing', leg([]), null, /no instructions/],
    ['too many instructions', leg(Array.from({ length: 17 }, () => call())), null, /17 instructions/],
    ['the lending program', leg([call(), call([], klend)]), 1, /lending program/],
    ['the vault program', leg([call([], kvault)]), 0, /vault program/],
    ['the farms program', leg([call([], farms)]), 0, /farms program/],
    ['the compute budget', leg([call([], COMPUTE_BUDGET_PROGRAM)]), 0, /compute budget/],
    ['too much data', leg([call([], ROUTER, Array(1_101).fill(0))]), 0, /more than 1100 bytes/],
    [
      'too many accounts',
      leg([call(Array.from({ length: 65 }, (_, i) => [addressNumber(i), AccountRole.READONLY]))]),
      0,
      /65 accounts/,
    ],
    ['five signers', leg([call()], { signers: Array(5).fill(MAKER) }), null, /5 signers/],
    ['no minimum', leg([call()], { minOut: 0n }), null, /minOut/],
    ['a minimum beyond 64 bits', leg([call()], { minOut: 1n << 64n }), null, /minOut/],
    ['an input of zero', leg([call()], { inAmount: 0n }), null, /inAmount/],
  ])('refuses %s', (_, given, instruction, reason) => {
    expect(form(given)).toEqual([instruction, expect.stringMatching(reason)]);
  });
});

describe('the accounts of a swap', () => {
  it('accepts writes to accounts of others, and of the wallet, signed by those who may', () => {
    const used = call([
      [OWN, AccountRole.WRITABLE],
      [addressNumber(90), AccountRole.WRITABLE],
      [WALLET, AccountRole.WRITABLE_SIGNER],
      [PAYER, AccountRole.READONLY_SIGNER],
      [MAKER, AccountRole.READONLY_SIGNER],
      [OBLIGATION, AccountRole.READONLY],
    ]);
    expect(accounts(used)).toBeNull();
  });

  it('refuses another signer', () => {
    const refusal = accounts(call(), call([[addressNumber(91), AccountRole.READONLY_SIGNER]]));
    expect(refusal).toEqual([1, expect.stringContaining(`signature of ${addressNumber(91)}`)]);
  });

  it.each<[string, Address, RegExp]>([
    ['the obligation', OBLIGATION, /writes the obligation/],
    ['another account of the lending program', POSITIONS[0], /account of the lending program/],
    ['an account of the vault program', POSITIONS[1], /account of the vault program/],
    ['a stake', POSITIONS[2], /account of the farms program/],
    ['vault shares of the wallet', SHARES, /vault shares/],
  ])('refuses a write to %s', (_, address, reason) => {
    expect(accounts(call([[address, AccountRole.WRITABLE]]))).toEqual([0, expect.stringMatching(reason)]);
    expect(accounts(call([[address, AccountRole.READONLY]]))).toBeNull();
  });

  it.each<[string, number, Address, RegExp]>([
    ['closes', 9, TOKEN_PROGRAM, /closes the token account/],
    ['closes, of Token-2022,', 9, TOKEN_2022_PROGRAM, /closes the token account/],
    ['changes the authority of', 6, TOKEN_PROGRAM, /changes the authority/],
    ['approves a delegate of', 4, TOKEN_PROGRAM, /lets another signer spend/],
    ['approves a checked delegate of', 13, TOKEN_PROGRAM, /lets another signer spend/],
    ['runs a batch on', 255, TOKEN_PROGRAM, /runs a batch/],
  ])('refuses what %s an account of the loan', (_, code, program, reason) => {
    const on = (address: Address) => call([[address, AccountRole.WRITABLE]], program, [code]);
    expect(accounts(on(OWN))).toEqual([0, expect.stringMatching(reason)]);
    expect(accounts(on(addressNumber(92)))).toBeNull();
  });
});
