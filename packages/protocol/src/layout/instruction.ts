import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { ProtocolError } from '../protocol-error.ts';
import { viewOf } from './account.ts';
import type { Encodable } from './codec.ts';
import { type Fields, type StructCodec, type StructOf, struct } from './struct.ts';

/** Use of an account by an instruction. `?` marks an optional one: the program's id takes its place when absent. */
export type AccountUse = 'readonly' | 'writable' | 'signer' | 'writable signer' | 'readonly?' | 'writable?';

/** Accounts by name, in the program's order. */
export type AccountUses = Readonly<Record<string, AccountUse>>;

type OptionalNames<A extends AccountUses> = {
  [K in keyof A]: A[K] extends `${string}?` ? K : never;
}[keyof A];

/** The addresses of an instruction; null for an absent optional account. */
export type AccountsOf<A extends AccountUses> = {
  readonly [K in keyof A]: K extends OptionalNames<A> ? Address | null : Address;
};

/** All arguments of an instruction; none is optional. */
export type ArgsOf<F extends Fields> = { readonly [K in keyof F]: Encodable<F[K]> };

export interface EncodedInstruction {
  readonly programAddress: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
}

export interface DecodedInstruction<A extends AccountUses = AccountUses, F extends Fields = Fields> {
  readonly name: string;
  readonly programAddress: Address;
  readonly accounts: AccountsOf<A>;
  readonly args: StructOf<F>;
  /** Accounts after the named ones. */
  readonly remaining: readonly AccountMeta[];
}

export interface InstructionLayout<A extends AccountUses = AccountUses, F extends Fields = Fields> {
  readonly name: string;
  readonly discriminator: Uint8Array;
  readonly accounts: A;
  /** In the program's order. */
  readonly accountNames: readonly string[];
  /** Arguments, which follow the discriminator. */
  readonly args: StructCodec<F>;
  encode(
    program: Address,
    accounts: AccountsOf<A>,
    args: ArgsOf<F>,
    remaining?: readonly AccountMeta[],
  ): EncodedInstruction;
  decode(instruction: EncodedInstruction): DecodedInstruction<A, F>;
}

const ROLES: Readonly<Record<string, AccountRole>> = {
  readonly: AccountRole.READONLY,
  writable: AccountRole.WRITABLE,
  signer: AccountRole.READONLY_SIGNER,
  'writable signer': AccountRole.WRITABLE_SIGNER,
};

const roleOf = (use: AccountUse) => ROLES[use.replace('?', '')] ?? AccountRole.READONLY;

/** Encoder and decoder of one instruction. `discriminator` is hex, of any length. */
export function instructionLayout<const A extends AccountUses, const F extends Fields>(
  name: string,
  discriminator: string,
  args: F,
  accounts: A,
): InstructionLayout<A, F> {
  const prefix = Uint8Array.from(Buffer.from(discriminator, 'hex'));
  const body = struct(args);
  const uses = Object.entries(accounts);
  const roles = uses.map(([key, use]) => [key as keyof A, roleOf(use)] as const);
  return {
    name,
    discriminator: prefix,
    accounts,
    accountNames: Object.keys(accounts),
    args: body,
    encode(program, addresses, values, remaining = []) {
      const data = new Uint8Array(prefix.length + body.size);
      data.set(prefix);
      body.write(viewOf(data), prefix.length, values);
      const metas: AccountMeta[] = [];
      for (const [key, role] of roles) {
        const address = addresses[key];
        metas.push(address === null ? { address: program, role: AccountRole.READONLY } : { address, role });
      }
      for (const meta of remaining) metas.push(meta);
      return { programAddress: program, accounts: metas, data };
    },
    decode({ programAddress, accounts: metas, data }) {
      if (
        data.length < prefix.length + body.size ||
        Buffer.compare(data.subarray(0, prefix.length), prefix) !== 0
      ) {
        const reason = `its data must be ${discriminator} and ${body.size} bytes of arguments, not ${data.length} bytes`;
        throw new ProtocolError('INSTRUCTION_MALFORMED', { instruction: name, reason });
      }
      const addresses: Record<string, Address | null> = {};
      uses.forEach(([key, use], i) => {
        const meta = metas[i];
        if (meta === undefined) {
          const reason = `it needs ${uses.length} accounts and has ${metas.length}`;
          throw new ProtocolError('INSTRUCTION_MALFORMED', { instruction: name, reason });
        }
        addresses[key] = use.endsWith('?') && meta.address === programAddress ? null : meta.address;
      });
      return {
        name,
        programAddress,
        accounts: addresses as AccountsOf<A>,
        args: body.read(viewOf(data), prefix.length),
        remaining: metas.slice(uses.length),
      };
    },
  };
}
