import {
  type AccountMeta,
  type AccountSignerMeta,
  type Address,
  createNoopSigner,
  type Instruction,
  none,
  some,
} from '@solana/kit';
import BN from 'bn.js';
import type { Json } from '../normalise.ts';
import { Prng } from '../prng.ts';

/** Stand-in for each account of a builder: a signer, any address, an optional one, or a known address. */
export type Template<Accounts> = {
  readonly [K in keyof Accounts]: [Accounts[K]] extends [string]
    ? 'account' | Address
    : [Accounts[K]] extends [{ address: Address }]
      ? 'signer'
      : [Accounts[K]] extends [{ __option: string }]
        ? 'optional'
        : Template<Accounts[K]>;
};

export type Remaining = AccountMeta[];
export type AnyInstruction = Omit<Instruction, 'accounts'> & { readonly accounts?: readonly AccountMeta[] };

type RemainingMetas = Array<AccountMeta | AccountSignerMeta>;
type Builder<Args, Accounts> = (args: Args, accounts: Accounts, remaining: RemainingMetas) => AnyInstruction;

/** Gives a builder that takes no arguments the form of the others. */
export function withoutArgs<Accounts>(
  build: (accounts: Accounts, remaining: RemainingMetas) => AnyInstruction,
): Builder<object, Accounts> {
  return (_, accounts, remaining) => build(accounts, remaining);
}

/** Gives a builder that takes only remaining accounts the form of the others. */
export function withoutAccounts<Args>(
  build: (args: Args, remaining: RemainingMetas) => AnyInstruction,
): Builder<Args, object> {
  return (args, _, remaining) => build(args, remaining);
}

export interface InstructionSpec<Args, Accounts> {
  program: string;
  name: string;
  accounts: Template<NoInfer<Accounts>>;
  args: NoInfer<Args>[];
  /** Lists to put behind the accounts; the empty list when left out. */
  remaining?: ((prng: Prng) => Remaining)[];
  build: Builder<Args, Accounts>;
}

interface Resolved {
  sdk: Record<string, unknown>;
  flat: Record<string, Address | null>;
}

/** Real addresses in the template's places; `present` says which of the optional accounts are given. */
function resolved(template: object, prng: Prng, present: (name: string) => boolean, path = ''): Resolved {
  const sdk: Record<string, unknown> = {};
  const flat: Record<string, Address | null> = {};
  for (const [key, marker] of Object.entries(template)) {
    const name = `${path}${key}`;
    if (typeof marker === 'object') {
      const inner = resolved(marker, prng, present, `${name}.`);
      sdk[key] = inner.sdk;
      Object.assign(flat, inner.flat);
      continue;
    }
    const random = prng.address();
    const address: Address = ['signer', 'account', 'optional'].includes(marker) ? random : marker;
    const given = marker !== 'optional' || present(name);
    flat[name] = given ? address : null;
    if (marker === 'signer') sdk[key] = createNoopSigner(address);
    else if (marker === 'optional') sdk[key] = given ? some(address) : none();
    else sdk[key] = address;
  }
  return { sdk, flat };
}

function optionalNames(template: object, path = ''): string[] {
  return Object.entries(template).flatMap(([key, marker]) => {
    if (typeof marker === 'object') return optionalNames(marker, `${path}${key}.`);
    return marker === 'optional' ? [`${path}${key}`] : [];
  });
}

/** All, none, and (where there are several) each one alone. */
function presences(optional: string[]): [note: string, names: string[]][] {
  if (optional.length === 0) return [['', []]];
  const all: [string, string[]][] = [
    ['all optional accounts present', optional],
    ['all optional accounts absent', []],
  ];
  return optional.length === 1
    ? all
    : [...all, ...optional.map((name): [string, string[]] => [`only ${name} present`, [name]])];
}

/** Every combination of arguments, optional accounts and remaining accounts of one instruction. */
export function instructionCases<Args, Accounts>(spec: InstructionSpec<Args, Accounts>): Json[] {
  const cases: Json[] = [];
  for (const [note, names] of presences(optionalNames(spec.accounts))) {
    for (const remainingOf of spec.remaining ?? [() => []]) {
      for (const args of spec.args) {
        const prng = new Prng(`${spec.program}/${spec.name}/${cases.length}`);
        const { sdk, flat } = resolved(spec.accounts, prng, (name) => names.includes(name));
        const remaining = remainingOf(prng);
        const built = spec.build(args, sdk as Accounts, remaining);
        cases.push(instructionCase(spec.program, spec.name, note, args, flat, remaining, built));
      }
    }
  }
  return cases;
}

export function instructionCase(
  program: string,
  name: string,
  note: string,
  args: unknown,
  accounts: Record<string, Address | null>,
  remaining: Remaining,
  built: AnyInstruction,
): Json {
  const metas = (built.accounts ?? []).map(({ address, role }) => ({ address, role }));
  const ordered = [
    ...Object.values(accounts).map((address) => address ?? built.programAddress),
    ...remaining.map(({ address }) => address),
  ];
  if (ordered.join() !== metas.map(({ address }) => address).join()) {
    throw new Error(`${program}/${name}: the accounts are not in the builder's order`);
  }
  return {
    program,
    name,
    note,
    args: argsJson(args),
    accounts,
    remaining: remaining.map(({ address, role }) => ({ address, role })),
    expected: {
      programAddress: built.programAddress,
      data: Buffer.from(built.data ?? []).toString('hex'),
      accounts: metas,
    },
  };
}

function argsJson(value: unknown): Json {
  if (BN.isBN(value) || typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(argsJson);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, argsJson(inner)]));
  }
  return value as Json;
}
