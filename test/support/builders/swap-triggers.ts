import { reserve } from '@sluice/protocol/klend/reserve';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { assign } from '@sluice/protocol/system/account-instructions';
import { transferLamports } from '@sluice/protocol/system/instructions';
import { approve } from '@sluice/protocol/token/account-instructions';
import { closeAccount, transfer } from '@sluice/protocol/token/instructions';
import { burn } from '@sluice/protocol/token/supply-instructions';
import { AccountRole } from '@solana/kit';
import { expect } from 'vitest';
import { leverageAccounts } from '../../../src/builders/leverage/accounts.ts';
import { buildMultiply } from '../../../src/builders/leverage/multiply.ts';
import { leveragePreview } from '../../../src/builders/leverage/preview.ts';
import type { Trigger } from './built-warnings.ts';
import {
  addressNumber,
  lendingChain,
  lendingRequest,
  MARKET,
  NOW,
  reserveAddress,
  WALLET,
} from './lending-accounts.ts';

/** Warnings of swaps that callers supply. */

const STRANGER = addressNumber(870);
const OTHER_TOKEN = addressNumber(871);
const read = lendingChain({ reserves: [{}, {}], balances: [1_000n, 1_000n] });
const mintOf = (index: number) =>
  reserve.decode(read(reserveAddress(index)) ?? expect.fail('no reserve'), MAINNET_PROGRAMS.klend).liquidity
    .mintPubkey;

function swap(...instructions: readonly EncodedInstruction[]) {
  const request = {
    programs: MAINNET_PROGRAMS,
    wallet: WALLET,
    market: MARKET,
    obligation: { key: { tag: 1, id: 0, seed1: mintOf(0), seed2: mintOf(1) } },
    collateralReserve: reserveAddress(0),
    debtReserve: reserveAddress(1),
    swap: { instructions, lookupTables: [], inAmount: 1n, minOut: 1n, signers: [], quote: null },
    lookupTables: [],
    oracles: lendingRequest('deposit').oracles,
    isShareMint: () => false,
    rewardApys: () => ({ supply: {}, borrow: {} }),
  };
  const at = { slot: NOW.slot, moment: NOW, payer: WALLET, fresh: new Set<never>() };
  const accounts = leverageAccounts(request, 'deposit', read, at);
  const build = buildMultiply(accounts, { deposit: null, borrow: { baseUnits: 1_000n } }, read);
  return leveragePreview(build, read).warnings;
}

const lamports = { source: WALLET, destination: STRANGER };
const unknown = (programAddress: typeof STRANGER): EncodedInstruction => ({
  programAddress,
  accounts: [{ address: WALLET, role: AccountRole.WRITABLE_SIGNER }],
  data: Uint8Array.of(0xff),
});
const token = { account: OTHER_TOKEN, source: OTHER_TOKEN, owner: WALLET, authority: WALLET };
const toStranger = { ...token, destination: STRANGER, delegate: STRANGER, mint: STRANGER };

export const SWAP_TRIGGERS: readonly Trigger[] = [
  ['UNKNOWN_PROGRAM_WRITES', 'a router', () => swap(unknown(STRANGER))],
  ['UNKNOWN_INSTRUCTION_WRITES', 'a batch of token instructions', () => swap(unknown(TOKEN_PROGRAM))],
  [
    'TOKENS_TO_OTHER',
    'a transfer to a stranger',
    () => swap(transfer.encode(TOKEN_PROGRAM, toStranger, { amount: 1n })),
  ],
  [
    'SOL_TO_OTHER',
    'SOL for a stranger',
    () => swap(transferLamports.encode(SYSTEM_PROGRAM, lamports, { lamports: 1n })),
  ],
  ['SPENDING_ALLOWED', 'an approval', () => swap(approve.encode(TOKEN_PROGRAM, toStranger, { amount: 1n }))],
  [
    'AUTHORITY_CHANGED',
    'a wallet that is handed over',
    () => swap(assign.encode(SYSTEM_PROGRAM, { account: WALLET }, { owner: STRANGER })),
  ],
  ['TOKENS_BURNED', 'a burn', () => swap(burn.encode(TOKEN_PROGRAM, toStranger, { amount: 1n }))],
  [
    'ACCOUNT_CLOSED_TO_OTHER',
    'an account that is closed',
    () => swap(closeAccount.encode(TOKEN_PROGRAM, toStranger, {})),
  ],
];
