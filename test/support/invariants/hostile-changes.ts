import { itemAt, type Random, shuffled } from '@sluice/localnet/world/prng';
import { viewOf } from '@sluice/protocol/layout/account';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { AccountRole, type Address } from '@solana/kit';
import type { BuiltInstruction } from '../../../src/builders/built-instruction.ts';
import type { Wish } from './random-actions.ts';

const DISCRIMINATOR_BYTES = 8;
const ROLES = [
  AccountRole.READONLY,
  AccountRole.WRITABLE,
  AccountRole.READONLY_SIGNER,
  AccountRole.WRITABLE_SIGNER,
];
const ODD_AMOUNTS = [0n, 1n, 2n, U64_MAX, U64_MAX - 1n, 1n << 63n];
/** Programs whose instructions are changed: with the others, anybody may give tokens to a vault, which breaks no rule. */
const CHANGED: ReadonlySet<Address> = new Set(Object.values(MAINNET_PROGRAMS));

type Change = (wish: Wish, other: Wish, random: Random) => readonly BuiltInstruction[];

const replaced = <T>(list: readonly T[], index: number, item: T): T[] => list.with(index, item);

/** Changes one instruction of the platform's programs. */
function edit(
  { instructions }: Wish,
  random: Random,
  change: (each: BuiltInstruction) => BuiltInstruction,
): readonly BuiltInstruction[] {
  const candidates = instructions.flatMap(({ programAddress }, i) =>
    CHANGED.has(programAddress) ? [i] : [],
  );
  if (candidates.length === 0) return instructions;
  const index = random.pick(candidates);
  return replaced(instructions, index, change(itemAt(instructions, index)));
}

const CHANGES: Readonly<Record<string, Change>> = {
  missing: ({ instructions }, _, random) => instructions.toSpliced(random.below(instructions.length), 1),
  twice: ({ instructions }, _, random) => {
    const index = random.below(instructions.length);
    return instructions.toSpliced(random.below(instructions.length + 1), 0, itemAt(instructions, index));
  },
  reordered: ({ instructions }, _, random) => shuffled(instructions, random),
  joined: ({ instructions }, other) => [...instructions, ...other.instructions],
  interleaved: ({ instructions }, other, random) => {
    const index = random.below(instructions.length + 1);
    return instructions.toSpliced(index, 0, random.pick(other.instructions));
  },
  amount: (wish, _, random) =>
    edit(wish, random, (each) => {
      if (each.data.length < DISCRIMINATOR_BYTES + 8) return each;
      const data = each.data.slice();
      viewOf(data).setBigUint64(DISCRIMINATOR_BYTES, random.pick(ODD_AMOUNTS), true);
      return { ...each, data };
    }),
  data: (wish, _, random) =>
    edit(wish, random, (each) => {
      const data = each.data.slice(0, random.chance(20) ? random.below(each.data.length + 1) : undefined);
      if (data.length > 0) data[random.below(data.length)] = random.below(256);
      return { ...each, data };
    }),
  account: (wish, other, random) =>
    edit(wish, random, (each) => {
      if (each.accounts.length === 0) return each;
      const index = random.below(each.accounts.length);
      const source = random.pick([...wish.instructions, ...other.instructions]).accounts;
      if (source.length === 0) return each;
      const { address } = random.pick(source);
      const { role } = itemAt(each.accounts, index);
      return { ...each, accounts: replaced(each.accounts, index, { address, role }) };
    }),
  /** The same account of somebody else's action. */
  counterpart: (wish, other, random) =>
    edit(wish, random, (each) => {
      const match = other.instructions.find(({ name }) => name === each.name);
      const index = random.below(each.accounts.length);
      const meta = match?.accounts[index];
      if (meta === undefined || each.accounts[index] === undefined) return each;
      return { ...each, accounts: replaced(each.accounts, index, meta) };
    }),
  role: (wish, _, random) =>
    edit(wish, random, (each) => {
      if (each.accounts.length === 0) return each;
      const index = random.below(each.accounts.length);
      const meta = { ...itemAt(each.accounts, index), role: random.pick(ROLES) };
      return { ...each, accounts: replaced(each.accounts, index, meta) };
    }),
  fewer: (wish, _, random) =>
    edit(wish, random, (each) => ({
      ...each,
      accounts: each.accounts.slice(0, random.below(each.accounts.length + 1)),
    })),
};

/** A wish with something wrong; another wallet's wish lends parts. */
export function hostile(wish: Wish, other: Wish, random: Random): Wish {
  const [name, change] = random.pick(Object.entries(CHANGES));
  const instructions = change(wish, other, random);
  const tables =
    name === 'joined' || name === 'interleaved' ? [...wish.tables, ...other.tables] : wish.tables;
  const thief = random.chance(10) ? other.wallet : wish.wallet;
  return { name: `${name} ${wish.name}`, wallet: thief, instructions, tables };
}
