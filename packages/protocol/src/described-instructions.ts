import type { Address } from '@solana/kit';
import * as farmClosing from './farms/closing-instructions.ts';
import * as farmManagement from './farms/management-instructions.ts';
import { findInstruction, knownInstructions } from './instructions.ts';
import * as obligations from './klend/obligation-instructions.ts';
import * as orders from './klend/order-instructions.ts';
import * as referrers from './klend/referrer-instructions.ts';
import * as reserves from './klend/reserve-instructions.ts';
import * as reserveUpkeep from './klend/reserve-upkeep-instructions.ts';
import * as curators from './kvault/curator-instructions.ts';
import { viewOf } from './layout/account.ts';
import type { EncodedInstruction, InstructionLayout } from './layout/instruction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  type ProgramIds,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from './program-ids.ts';
import { isProtocolError } from './protocol-error.ts';
import { advanceNonceAccount } from './system/nonce-instructions.ts';
import * as accounts from './token/account-instructions.ts';
import * as associated from './token/associated-token-instructions.ts';
import * as mints from './token/mint-instructions.ts';
import * as withheld from './token/withheld-instructions.ts';

const ADDRESS_BYTES = 32;

/** Every instruction with a known layout, also those that the gateway neither builds nor finds in past transactions. */
export function describedInstructions(ids: ProgramIds): ReadonlyMap<Address, readonly InstructionLayout[]> {
  const tokens = Object.values({ ...accounts, ...mints });
  const lending = {
    ...reserves,
    ...reserveUpkeep,
    ...orders,
    ...obligations,
    ...referrers,
  };
  const more = new Map<Address, readonly unknown[]>([
    [ids.klend, Object.values(lending)],
    [ids.kvault, Object.values(curators)],
    [ids.farms, Object.values({ ...farmClosing, ...farmManagement })],
    [TOKEN_PROGRAM, tokens],
    [TOKEN_2022_PROGRAM, [...tokens, ...Object.values(withheld)]],
    [ASSOCIATED_TOKEN_PROGRAM, Object.values(associated)],
    [SYSTEM_PROGRAM, [advanceNonceAccount]],
  ]);
  return new Map(
    [...knownInstructions(ids)].map(([program, layouts]) => [
      program,
      [...layouts, ...((more.get(program) ?? []) as InstructionLayout[])],
    ]),
  );
}

/** An instruction's layout and arguments, which are null when its data is too short for them. */
export interface ReadInstruction {
  readonly layout: InstructionLayout;
  readonly args: Readonly<Record<string, unknown>> | null;
}

/** An optional address at the end of the data may be missing. */
const SHORT: readonly string[] = [
  accounts.setAuthority.name,
  mints.initializeMint.name,
  mints.initializeMint2.name,
];

/** Arguments of variable length at the end of the data, after their length where the layout has one. */
const TAILS: Readonly<Record<string, string>> = {
  [obligations.updateObligationConfig.name]: 'value',
  [referrers.initReferrerStateAndShortUrl.name]: 'shortUrl',
  [curators.updateVaultConfig.name]: 'data',
  [curators.updateGlobalConfig.name]: 'value',
  [farmManagement.updateFarmConfig.name]: 'data',
};

/** Null when no layout has the start of the data. */
export function readInstruction(
  known: ReadonlyMap<Address, readonly InstructionLayout[]>,
  { programAddress, data: given }: Pick<EncodedInstruction, 'programAddress' | 'data'>,
): ReadInstruction | null {
  // The first version of the program had one instruction, without data.
  const isFirst = programAddress === ASSOCIATED_TOKEN_PROGRAM && given.length === 0;
  const data = isFirst ? associated.createAssociatedToken.discriminator : given;
  let layout: InstructionLayout;
  try {
    layout = findInstruction(known, { programAddress, accounts: [], data });
  } catch (error) {
    if (isProtocolError(error, 'INSTRUCTION_UNKNOWN')) return null;
    throw error;
  }
  const { args, discriminator, name } = layout;
  const bytes = new Uint8Array(Math.max(data.length, discriminator.length + args.size));
  bytes.set(data);
  const missing = bytes.length - data.length;
  const isWhole = missing === 0 || (missing === ADDRESS_BYTES && SHORT.includes(name) && data.at(-1) === 0);
  if (!isWhole) return { layout, args: null };
  const read = args.read(viewOf(bytes), discriminator.length);
  // Struct fields are getters on the prototype, which a caller cannot list with Object.entries.
  const fixed = Object.fromEntries(Object.keys(args.fields).map((key) => [key, read[key]]));
  const tail = TAILS[name];
  return {
    layout,
    args: tail === undefined ? fixed : withTail(fixed, tail, data, discriminator.length + args.size),
  };
}

/** Null when the data ends before the tail does. */
function withTail(
  fixed: Readonly<Record<string, unknown>>,
  tail: string,
  data: Uint8Array,
  start: number,
): Readonly<Record<string, unknown>> | null {
  const { [`${tail}Length`]: length, ...rest } = fixed;
  const end = typeof length === 'number' ? start + length : data.length;
  return end > data.length ? null : { ...rest, [tail]: data.subarray(start, end) };
}
