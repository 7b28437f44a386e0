import type { Address } from '@solana/kit';
import { ProtocolError } from '../protocol-error.ts';
import { type Fields, type StructCodec, type StructInput, type StructOf, struct } from './struct.ts';

/** An account as the RPC returns it. The bytes must never be mutated: decoded structs read them lazily. */
export interface RawAccount {
  readonly owner: Address;
  readonly data: Uint8Array;
  /** For error messages. */
  readonly address?: Address;
}

const DISCRIMINATOR_BYTES = 8;

/** Layout of one kind of Anchor account: its discriminator and the fields that follow it. */
export interface AccountLayout<F extends Fields> {
  readonly name: string;
  /** First eight bytes. */
  readonly discriminator: Uint8Array;
  /** Minimum length in bytes: programs may grow their accounts. */
  readonly size: number;
  readonly body: StructCodec<F>;
  /** Offset of a top-level field in the whole account, for memcmp filters and data slices. */
  offsetOf(field: keyof F & string): number;
  /** Checks owner, discriminator, length and values that no release knows, then returns a lazily decoded account. */
  decode(account: RawAccount, program: Address): StructOf<F>;
  /** The whole account, discriminator included. Omitted fields are zero. */
  encode(value: StructInput<F>): Uint8Array;
}

export function accountLayout<const F extends Fields>(
  name: string,
  discriminator: string,
  fields: F,
  /** Why the account cannot be interpreted although its bytes fit; null when it can. */
  flawOf?: (value: StructOf<F>) => string | null,
): AccountLayout<F> {
  const body = struct(fields);
  const prefix = Uint8Array.from(Buffer.from(discriminator, 'hex'));
  const size = DISCRIMINATOR_BYTES + body.size;
  return {
    name,
    discriminator: prefix,
    size,
    body,
    offsetOf: (field) => DISCRIMINATOR_BYTES + body.offsets[field],
    decode(account, program) {
      checkOwner(name, account, [program]);
      if (account.data.length >= DISCRIMINATOR_BYTES && !beginsWith(account.data, prefix)) {
        throw new ProtocolError('ACCOUNT_WRONG_DISCRIMINATOR', {
          account: name,
          ...located(account),
          expected: discriminator,
          actual: Buffer.from(account.data.subarray(0, DISCRIMINATOR_BYTES)).toString('hex'),
        });
      }
      checkLength(name, account, size);
      const value = body.read(viewOf(account.data), DISCRIMINATOR_BYTES);
      const flaw = flawOf?.(value) ?? null;
      if (flaw !== null) throw malformed(name, account, flaw);
      return value;
    },
    encode(value) {
      const data = new Uint8Array(size);
      data.set(prefix);
      body.write(viewOf(data), DISCRIMINATOR_BYTES, value);
      return data;
    },
  };
}

function beginsWith(data: Uint8Array, prefix: Uint8Array): boolean {
  for (let i = 0; i < prefix.length; i += 1) if (data[i] !== prefix[i]) return false;
  return true;
}

export function checkOwner(name: string, account: RawAccount, programs: readonly Address[]): void {
  if (!programs.includes(account.owner)) {
    throw new ProtocolError('ACCOUNT_WRONG_OWNER', {
      account: name,
      ...located(account),
      expected: programs.join(' or '),
      actual: account.owner,
    });
  }
}

export function checkLength(name: string, account: RawAccount, size: number): void {
  if (account.data.length < size) {
    throw new ProtocolError('ACCOUNT_TOO_SHORT', {
      account: name,
      ...located(account),
      expected: size,
      actual: account.data.length,
    });
  }
}

export function malformed(name: string, account: RawAccount, reason: string): ProtocolError {
  return new ProtocolError('ACCOUNT_MALFORMED', { account: name, ...located(account), reason });
}

export function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

function located(account: RawAccount): { address?: string } {
  return account.address === undefined ? {} : { address: account.address };
}
