import { createNoopSigner } from '@solana/kit';
import {
  findAddressLookupTablePda,
  getCreateLookupTableInstruction,
  getExtendLookupTableInstruction,
} from '@solana-program/address-lookup-table';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import {
  getAllocateInstruction,
  getAssignInstruction,
  getCreateAccountInstruction,
  getTransferSolInstruction,
} from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getBurnCheckedInstruction,
  getBurnInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToCheckedInstruction,
  getMintToInstruction,
  getSyncNativeInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
} from '@solana-program/token';
import { getTransferCheckedWithFeeInstruction } from '@solana-program/token-2022';
import { SLOT, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, U64_MAX } from '../constants.ts';
import type { Json } from '../normalise.ts';
import { Prng } from '../prng.ts';
import { instructionCase } from './template.ts';

const amounts = [0n, 1n, 2_039_280n, (1n << 53n) + 1n, U64_MAX];
const tokenPrograms = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

function systemCases(prng: Prng): Json[] {
  return amounts.map((amount) => {
    const [source, destination] = [prng.address(), prng.address()];
    const built = getTransferSolInstruction({ source: createNoopSigner(source), destination, amount });
    return instructionCase('system', 'transferSol', '', { amount }, { source, destination }, [], built);
  });
}

function systemAccountCases(prng: Prng): Json[] {
  const [payer, account, programAddress] = [prng.address(), prng.address(), prng.address()];
  const newAccount = createNoopSigner(account);
  const assign = getAssignInstruction({ account: newAccount, programAddress });
  return [
    ...amounts.flatMap((amount) => {
      const created = getCreateAccountInstruction({
        payer: createNoopSigner(payer),
        newAccount,
        lamports: amount,
        space: amount,
        programAddress,
      });
      const allocated = getAllocateInstruction({ newAccount, space: amount });
      const args = { lamports: amount, space: amount, owner: programAddress };
      return [
        instructionCase('system', 'createAccount', '', args, { payer, newAccount: account }, [], created),
        instructionCase('system', 'allocate', '', { space: amount }, { account }, [], allocated),
      ];
    }),
    instructionCase('system', 'assign', '', { owner: programAddress }, { account }, [], assign),
  ];
}

function computeBudgetCases(): Json[] {
  return [
    ...[0, 1, 200_000, 1_400_000, 4_294_967_295].map((units) => {
      const built = getSetComputeUnitLimitInstruction({ units });
      return instructionCase('compute-budget', 'setComputeUnitLimit', '', { units }, {}, [], built);
    }),
    ...amounts.map((microLamports) => {
      const built = getSetComputeUnitPriceInstruction({ microLamports });
      return instructionCase('compute-budget', 'setComputeUnitPrice', '', { microLamports }, {}, [], built);
    }),
  ];
}

async function associatedTokenCase(prng: Prng, tokenProgram: (typeof tokenPrograms)[number]): Promise<Json> {
  const [payer, owner, mint] = [prng.address(), prng.address(), prng.address()];
  const [ata] = await findAssociatedTokenPda({ owner, mint, tokenProgram });
  const accounts = { payer, ata, owner, mint, systemProgram: SYSTEM_PROGRAM, tokenProgram };
  const built = getCreateAssociatedTokenIdempotentInstruction({
    ...accounts,
    payer: createNoopSigner(payer),
  });
  return instructionCase('associated-token', 'createAssociatedTokenIdempotent', '', {}, accounts, [], built);
}

/** The builders of the first token program; for Token-2022 the same bytes go to its address. */
function tokenCases(prng: Prng, programAddress: (typeof tokenPrograms)[number]): Json[] {
  const program = programAddress === TOKEN_PROGRAM ? 'token' : 'token-2022';
  const [account, destination, owner] = [prng.address(), prng.address(), prng.address()];
  const [source, mint, authority] = [prng.address(), prng.address(), prng.address()];
  const signer = createNoopSigner(authority);
  const sync = getSyncNativeInstruction({ account }, { programAddress });
  const close = getCloseAccountInstruction(
    { account, destination, owner: createNoopSigner(owner) },
    { programAddress },
  );
  return [
    instructionCase(program, 'syncNative', '', {}, { account }, [], sync),
    instructionCase(program, 'closeAccount', '', {}, { account, destination, owner }, [], close),
    ...amounts.map((amount) => {
      const accounts = { source, destination, authority };
      const built = getTransferInstruction({ ...accounts, authority: signer, amount }, { programAddress });
      return instructionCase(program, 'transfer', '', { amount }, accounts, [], built);
    }),
    ...amounts.map((amount, index) => {
      const accounts = { source, mint, destination, authority };
      const args = { amount, decimals: [0, 6, 9, 18, 255][index] ?? 0 };
      const built = getTransferCheckedInstruction(
        { ...accounts, ...args, authority: signer },
        { programAddress },
      );
      return instructionCase(program, 'transferChecked', '', args, accounts, [], built);
    }),
  ];
}

/** Instructions that change a mint's supply, and the one transfer that Token-2022 has alone. */
function supplyCases(prng: Prng, programAddress: (typeof tokenPrograms)[number]): Json[] {
  const program = programAddress === TOKEN_PROGRAM ? 'token' : 'token-2022';
  const [mint, account, authority] = [prng.address(), prng.address(), prng.address()];
  const signer = createNoopSigner(authority);
  const config = { programAddress };
  const minted = { mint, token: account, mintAuthority: authority };
  const burnt = { account, mint, authority };
  return amounts.flatMap((amount) => {
    const args = { amount, decimals: 6 };
    const mintTo = getMintToInstruction({ ...minted, mintAuthority: signer, amount }, config);
    const burn = getBurnInstruction({ ...burnt, authority: signer, amount }, config);
    const mintChecked = getMintToCheckedInstruction({ ...minted, mintAuthority: signer, ...args }, config);
    const burnChecked = getBurnCheckedInstruction({ ...burnt, authority: signer, ...args }, config);
    return [
      instructionCase(program, 'mintTo', '', { amount }, minted, [], mintTo),
      instructionCase(program, 'burn', '', { amount }, burnt, [], burn),
      instructionCase(program, 'mintToChecked', '', args, minted, [], mintChecked),
      instructionCase(program, 'burnChecked', '', args, burnt, [], burnChecked),
    ];
  });
}

function feeTransferCases(prng: Prng): Json[] {
  const accounts = {
    source: prng.address(),
    mint: prng.address(),
    destination: prng.address(),
    authority: prng.address(),
  };
  return amounts.map((amount) => {
    const args = { amount, decimals: 9, fee: amount / 100n };
    const signer = createNoopSigner(accounts.authority);
    const built = getTransferCheckedWithFeeInstruction({ ...accounts, authority: signer, ...args });
    return instructionCase('token-2022', 'transferCheckedWithFee', '', args, accounts, [], built);
  });
}

async function createTableCase(prng: Prng, recentSlot: bigint): Promise<Json> {
  const [authority, payer] = [prng.address(), prng.address()];
  const table = await findAddressLookupTablePda({ authority, recentSlot });
  const built = getCreateLookupTableInstruction({
    address: table,
    authority: createNoopSigner(authority),
    payer: createNoopSigner(payer),
    recentSlot,
  });
  const accounts = { address: table[0], authority, payer, systemProgram: SYSTEM_PROGRAM };
  const args = { recentSlot, bump: table[1] as number };
  return instructionCase('address-lookup-table', 'createLookupTable', '', args, accounts, [], built);
}

function extendTableCase(prng: Prng, count: number): Json {
  const [address, authority, payer] = [prng.address(), prng.address(), prng.address()];
  const addresses = Array.from({ length: count }, () => prng.address());
  const built = getExtendLookupTableInstruction({
    address,
    authority: createNoopSigner(authority),
    payer: createNoopSigner(payer),
    addresses,
  });
  const accounts = { address, authority, payer, systemProgram: SYSTEM_PROGRAM };
  return instructionCase('address-lookup-table', 'extendLookupTable', '', { addresses }, accounts, [], built);
}

export async function generalCases(): Promise<Json[]> {
  const prng = new Prng('general instructions');
  const cases = [...systemCases(prng), ...computeBudgetCases()];
  for (const tokenProgram of tokenPrograms) {
    cases.push(await associatedTokenCase(prng, tokenProgram), ...tokenCases(prng, tokenProgram));
  }
  for (const slot of [0n, 1n, SLOT, U64_MAX]) cases.push(await createTableCase(prng, slot));
  for (const count of [0, 1, 20]) cases.push(extendTableCase(prng, count));
  const supply = new Prng('supply instructions');
  for (const tokenProgram of tokenPrograms) cases.push(...supplyCases(supply, tokenProgram));
  cases.push(...feeTransferCases(supply));
  cases.push(...systemAccountCases(new Prng('system account instructions')));
  return cases;
}
