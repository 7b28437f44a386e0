import type { PreparedBuild } from '../../../../services/builds/builds.ts';
import {
  type BuiltInstruction,
  type BundleAccount,
  bundleInstruction,
  instructionsOf,
  lutsByAddress,
} from '../../../../services/builds/results.ts';
import { builder } from '../../../builder.ts';
import { LookupTableRef, tableLink } from '../../../node-refs.ts';

export const AccountRoleRef = builder.enumType('AccountRole', {
  description: 'Use of an account by an instruction.',
  values: {
    READONLY: { description: 'Read only.' },
    WRITABLE: { description: 'Written.' },
    READONLY_SIGNER: { description: 'Read only, and must sign.' },
    WRITABLE_SIGNER: { description: 'Written, and must sign.' },
  } as const,
});

const SignerRef = builder.objectRef<{ readonly address: string }>('Signer').implement({
  description: 'A required signer of a transaction.',
  fields: (t) => ({
    address: t.field({
      type: 'Address',
      description: 'Address of the signer.',
      resolve: ({ address }) => address as never,
    }),
  }),
});

/** An account of the REST body plus the label, which only GraphQL returns. */
interface Account {
  readonly meta: BundleAccount;
  readonly label: string | null;
}

const AccountMetaRef = builder.objectRef<Account>('AccountMeta').implement({
  description: 'An account that an instruction uses.',
  fields: (t) => ({
    address: t.field({
      type: 'Address',
      description: 'Address of the account.',
      resolve: ({ meta }) => meta.address,
    }),
    role: t.field({
      type: AccountRoleRef,
      description: 'Use of the account by the instruction.',
      resolve: ({ meta }) => meta.role,
    }),
    signer: t.field({
      type: SignerRef,
      nullable: true,
      description: 'The required signer. Null when the role needs no signature.',
      resolve: ({ meta }) => meta.signer ?? null,
    }),
    label: t.exposeString('label', {
      nullable: true,
      description: 'Name of the account in the instruction. Null when unknown.',
    }),
  }),
});

interface Instruction {
  readonly programAddress: string;
  readonly accounts: Account[];
  readonly data: string;
  readonly summary: string;
}

const InstructionRef = builder.objectRef<Instruction>('Instruction').implement({
  description: 'One instruction of a transaction.',
  fields: (t) => ({
    programAddress: t.field({
      type: 'Address',
      description: 'The program that executes it.',
      resolve: ({ programAddress }) => programAddress as never,
    }),
    accounts: t.expose('accounts', {
      type: [AccountMetaRef],
      description: 'The accounts, in the order that the program expects.',
    }),
    data: t.expose('data', { type: 'Base64', description: 'The instruction data.' }),
    summary: t.exposeString('summary', {
      description: 'Short summary of what the instruction does, for display.',
    }),
  }),
});

/** An instruction of the REST body plus labels and summary, which only GraphQL returns. */
function described(built: BuiltInstruction): Instruction {
  const { programAddress, accounts, data } = bundleInstruction(built);
  return {
    programAddress,
    accounts: accounts.map((meta, i) => ({ meta, label: built.labels[i] ?? null })),
    data,
    summary: built.summary,
  };
}

export const InstructionBundleRef = builder.objectRef<PreparedBuild>('InstructionBundle').implement({
  description:
    'Instructions and lookup tables to compile into a transaction. The values are the same as in the REST response.',
  fields: (t) => ({
    instructions: t.field({
      type: [InstructionRef],
      description:
        'The instructions, in an order that the programs accept, with those of the options but without compute budget instructions. The repayment of a flash loan names the position of the loan in its own transaction.',
      resolve: (prepared) => instructionsOf(prepared).map(described),
    }),
    lookupTables: t.field({
      type: [LookupTableRef],
      description: 'Lookup tables that make the transaction smaller.',
      resolve: ({ tables }, _args, { session }) => tables.map(({ address }) => tableLink(session, address)),
    }),
    lutsByAddress: t.field({
      type: 'JSON',
      description: 'The same tables as an object: table address to the list of its entries, in order.',
      resolve: ({ tables }) => lutsByAddress(tables),
    }),
  }),
});
