import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Extension } from '@sluice/protocol/token/extensions';
import { decodeMint, encodeMint, type Mint } from '@sluice/protocol/token/mint';
import {
  decodeTokenAccount,
  encodeTokenAccount,
  type TokenAccount,
} from '@sluice/protocol/token/token-account';
import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import type { StoredAccount } from '../../../src/chain.ts';
import type { InstructionFailure } from '../../../src/runtime/instruction-error.ts';
import type { Program } from '../../../src/runtime/program.ts';
import { splTokenProgram, token2022Program } from '../../../src/runtime/token/token-programs.ts';
import { labelledAddress } from '../../../src/world/prng.ts';
import { ProgramBench } from './program-bench.ts';

/** A named address. */
export const addressOf = (name: string): Address => labelledAddress('runtime-token', name);

const EPOCH = 800n;
/** A program that calls the instruction in its data, to test what differs for calls from other programs. */
export const CALLER = addressOf('caller');

/** The first slot of epoch 800. */
export const TEST_CLOCK = { slot: EPOCH * 432_000n, unixTimestamp: 1_800_000_000n };

export const rentOf = (bytes: number) => BigInt((128 + bytes) * 3_480 * 2);

/** Mints, token accounts and wallets for tests of the token programs. */
export class TokenBench extends ProgramBench {
  readonly program: Address;
  #called: EncodedInstruction | null = null;

  constructor(program: Address = TOKEN_PROGRAM, programs: readonly Program[] = []) {
    const caller: Program = {
      address: CALLER,
      run: ({ invoke }) => {
        if (this.#called !== null) invoke(this.#called);
      },
    };
    super([splTokenProgram, token2022Program, caller, ...programs], TEST_CLOCK);
    this.program = program;
  }

  wallet(name: string, lamports = 10_000_000_000n): Address {
    const address = addressOf(name);
    this.set(address, { owner: SYSTEM_PROGRAM, lamports, data: new Uint8Array(0), executable: false });
    return address;
  }

  mint(name: string, state: Partial<Mint> = {}): Address {
    const data = encodeMint({
      mintAuthority: addressOf('minter'),
      supply: 0n,
      decimals: 6,
      freezeAuthority: addressOf('freezer'),
      extensions: [],
      ...state,
    });
    return this.#add(addressOf(name), this.program, data);
  }

  account(name: string, mint: Address, owner: Address, amount: bigint, state: Partial<TokenAccount> = {}) {
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
      ...state,
    });
    const native = state.nativeRentLamports === undefined || state.nativeRentLamports === null ? 0n : amount;
    return this.#add(addressOf(name), this.program, data, native);
  }

  /** An account of zeros that belongs to the token program. */
  empty(name: string, bytes: number, lamports = rentOf(bytes)): Address {
    const data = new Uint8Array(bytes);
    const address = addressOf(name);
    this.set(address, { owner: this.program, lamports, data, executable: false });
    return address;
  }

  held(address: Address): TokenAccount {
    return decodeTokenAccount(this.existing(address));
  }

  mintState(address: Address): Mint {
    return decodeMint(this.existing(address));
  }

  existing(address: Address): StoredAccount {
    const account = this.get(address);
    if (account === undefined) throw new Error(`There is no account ${address}`);
    return account;
  }

  /** Runs one instruction; null when it succeeds. */
  failureOf(instruction: EncodedInstruction): InstructionFailure | null {
    return this.run([instruction]).failure?.reason ?? null;
  }

  /** The same through another program. */
  failureOfCall(instruction: EncodedInstruction): InstructionFailure | null {
    this.#called = instruction;
    const called = { address: instruction.programAddress, role: AccountRole.READONLY };
    return this.failureOf({
      programAddress: CALLER,
      accounts: [...instruction.accounts, called],
      data: new Uint8Array(0),
    });
  }

  #add(address: Address, owner: Address, data: Uint8Array, lamports = 0n): Address {
    this.set(address, { owner, lamports: rentOf(data.length) + lamports, data, executable: false });
    return address;
  }
}

/** The instruction without the signature of the account. */
export function unsigned(instruction: EncodedInstruction, address: Address): EncodedInstruction {
  const accounts: AccountMeta[] = instruction.accounts.map((meta) =>
    meta.address === address ? { address, role: AccountRole.READONLY } : meta,
  );
  return { ...instruction, accounts };
}

export const extension = (type: number, ...bytes: readonly number[]): Extension => ({
  type,
  data: Uint8Array.from(bytes),
});

/** A transfer fee configuration: the fee before `epoch`, and the fee from then on. */
export function transferFeeConfig(
  [olderBps, olderMaximum]: readonly [number, bigint],
  [newerBps, newerMaximum]: readonly [number, bigint],
  epoch = 0n,
): Extension {
  const data = Buffer.alloc(108);
  data.writeBigUInt64LE(olderMaximum, 80);
  data.writeUInt16LE(olderBps, 88);
  data.writeBigUInt64LE(epoch, 90);
  data.writeBigUInt64LE(newerMaximum, 98);
  data.writeUInt16LE(newerBps, 106);
  return { type: 1, data: Uint8Array.from(data) };
}

/** Withheld fees of a token account. */
export function withheld(amount: bigint): Extension {
  const data = Buffer.alloc(8);
  data.writeBigUInt64LE(amount);
  return { type: 2, data: Uint8Array.from(data) };
}

export function withheldIn({ extensions }: TokenAccount): bigint {
  const data = extensions.find(({ type }) => type === 2)?.data;
  return data === undefined ? 0n : Buffer.from(data).readBigUInt64LE();
}
