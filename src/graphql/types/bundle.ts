import {
  type BuiltInstruction,
  type BundleAccount,
  bundleInstruction,
  lutsByAddress,
} from '../../services/build-results.ts';
import type { PreparedBuild } from '../../services/builds.ts';
import { builder } from '../builder.ts';
import { LookupTableRef, tableLink } from '../node-refs.ts';

const AccountRoleRef = builder.enumType('AccountRole', {
  description: 'How an instruction uses an account.',
  values: {
    READONLY: { description: 'Read.' },
    WRITABLE: { description: 'Written.' },
    READONLY_SIGNER: { description: 'Read; must sign.' },
    WRITABLE_SIGNER: { description: 'Written; must sign.' },
  } as const,
});

const SignerRef = builder.objectRef<{ readonly address: string }>('Signer').implement({
  description: 'Who must sign.',
  fields: (t) => ({
    address: t.field({
      type: 'Address',
      nullable: false,
      description: 'Address of the signer.',
      resolve: ({ address }) => address as never,
    }),
  }),
});

/** An account of the REST body with what only the graph tells. */
interface Account {
  readonly meta: BundleAccount;
  readonly label: string | null;
}

const AccountMetaRef = builder.objectRef<Account>('AccountMeta').implement({
  description: 'One account of an instruction, in its place.',
  fields: (t) => ({
    address: t.field({
      type: 'Address',
      nullable: false,
      description: 'Address of the account.',
      resolve: ({ meta }) => meta.address,
    }),
    role: t.field({
      type: AccountRoleRef,
      nullable: false,
      description: 'How it is used.',
      resolve: ({ meta }) => meta.role,
    }),
    signer: t.field({
      type: SignerRef,
      nullable: true,
      description: 'Who must sign. Null beside roles that do not.',
      resolve: ({ meta }) => meta.signer ?? null,
    }),
    label: t.exposeString('label', {
      nullable: true,
      description: 'What the account is to the instruction. Null when unknown.',
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
  description: 'An instruction as the program takes it.',
  fields: (t) => ({
    programAddress: t.field({
      type: 'Address',
      nullable: false,
      description: 'The program.',
      resolve: ({ programAddress }) => programAddress as never,
    }),
    accounts: t.field({
      type: [AccountMetaRef],
      nullable: false,
      description: 'Its accounts, in order.',
      resolve: ({ accounts }) => accounts,
    }),
    data: t.field({ type: 'Base64', nullable: false, description: 'Its data.', resolve: ({ data }) => data }),
    summary: t.exposeString('summary', { nullable: false, description: 'What it does, in words.' }),
  }),
});

/** The REST body's instructions with what only the graph tells: labels and summaries. */
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
    'Instructions and lookup tables, to be put into a transaction of your own. Value for value the REST body.',
  fields: (t) => ({
    instructions: t.field({
      type: [InstructionRef],
      nullable: false,
      description: 'In an order that the programs accept.',
      resolve: ({ build }) => build.action.instructions.map(described),
    }),
    lookupTables: t.field({
      type: [LookupTableRef],
      nullable: false,
      description: 'Tables that make the transaction smaller.',
      resolve: ({ tables }, _args, { session }) => tables.map(({ address }) => tableLink(session, address)),
    }),
    lutsByAddress: t.field({
      type: 'JSON',
      nullable: false,
      description: 'The same tables by address, each with its whole content in order.',
      resolve: ({ tables }) => lutsByAddress(tables),
    }),
  }),
});
