import type {
  ExplainedAccount,
  ExplainedInstruction,
  TransactionExplanation,
  TransactionLifetime,
  TransactionWarning,
} from '../../../services/explain/explain-transaction.ts';
import { builder } from '../../builder.ts';

export const ExplainedSignerRef = builder
  .objectRef<TransactionExplanation['signers'][number]>('ExplainedSigner')
  .implement({
    description: 'A signer of a transaction.',
    fields: (t) => ({
      address: t.expose('address', { type: 'Address', description: 'Address of the signer.' }),
      hasSigned: t.exposeBoolean('hasSigned', {
        description: 'Whether the transaction has a valid signature from it.',
      }),
    }),
  });

const LifetimeKindRef = builder.enumType('TransactionLifetimeKind', {
  description: 'Limit on the time in which a transaction can land.',
  values: {
    BLOCKHASH: { description: 'A recent blockhash: about a minute and a half.' },
    DURABLE_NONCE: { description: 'A durable nonce: it can land at any time until the nonce is advanced.' },
  } as const satisfies Record<TransactionLifetime['kind'], { description: string }>,
});

export const TransactionLifetimeRef = builder
  .objectRef<TransactionLifetime>('TransactionLifetime')
  .implement({
    description: 'Lifetime of a transaction.',
    fields: (t) => ({
      kind: t.expose('kind', { type: LifetimeKindRef, description: 'Kind of the limit.' }),
      value: t.exposeString('value', { description: 'The blockhash, or the value of the nonce, in base58.' }),
      nonceAccount: t.expose('nonceAccount', {
        type: 'Address',
        nullable: true,
        description: 'Account of the durable nonce. Null for a blockhash.',
      }),
    }),
  });

const ExplainedAccountRef = builder.objectRef<ExplainedAccount>('ExplainedAccount').implement({
  description: 'An account of an instruction.',
  fields: (t) => ({
    address: t.expose('address', {
      type: 'Address',
      nullable: true,
      description: 'Address. Null when its lookup table cannot be read.',
    }),
    role: t.exposeString('role', {
      nullable: true,
      description:
        'Name that the program has for it, such as "userSourceLiquidity"; "remaining" for accounts after the named ones. Null when the instruction is unknown.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description:
        'Name of the account, such as "USDC reserve" or "your USDC account"; "not given" for an optional account that the instruction leaves out. Null when unknown.',
    }),
    isSigner: t.exposeBoolean('isSigner', { description: 'Whether it must sign.' }),
    isWritable: t.exposeBoolean('isWritable', { description: 'Whether the transaction may change it.' }),
    lookupTable: t.expose('lookupTable', {
      type: 'Address',
      nullable: true,
      description: 'Lookup table that contains its address. Null when the message itself contains it.',
    }),
  }),
});

const InstructionArgumentRef = builder
  .objectRef<ExplainedInstruction['args'][number]>('InstructionArgument')
  .implement({
    description: 'An argument of an instruction.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'Name that the program has for it.' }),
      value: t.exposeString('value', {
        description:
          'Value: numbers in decimal digits (amounts in base units), addresses in base58, bytes in hex.',
      }),
    }),
  });

export const ExplainedInstructionRef = builder
  .objectRef<ExplainedInstruction>('ExplainedInstruction')
  .implement({
    description: 'An instruction of a transaction, in words.',
    fields: (t) => ({
      programAddress: t.expose('programAddress', { type: 'Address', description: 'Program that it calls.' }),
      programName: t.exposeString('programName', {
        nullable: true,
        description: 'Name of the program. Null when unknown.',
      }),
      isKnown: t.boolean({
        description: 'Whether the program is known.',
        resolve: ({ programName }) => programName !== null,
      }),
      name: t.exposeString('name', {
        nullable: true,
        description: 'Name that the program has for the instruction. Null when unknown.',
      }),
      summary: t.exposeString('summary', { description: 'Effect of the instruction, in one sentence.' }),
      accounts: t.expose('accounts', { type: [ExplainedAccountRef], description: 'Its accounts, in order.' }),
      arguments: t.expose('args', {
        type: [InstructionArgumentRef],
        description: 'Its arguments, in order. Empty when the instruction is unknown.',
      }),
    }),
  });

const WarningCodeRef = builder.enumType('ExplanationWarningCode', {
  description: 'Warning for a signer.',
  values: {
    UNKNOWN_PROGRAM_WRITES: {
      description: 'A program that is not known may change an account of a signer.',
    },
    UNKNOWN_INSTRUCTION_WRITES: {
      description: 'An unknown instruction of a known program may change an account of a signer.',
    },
    TOKENS_TO_OTHER: { description: 'Tokens go to, or an action uses, a token account of somebody else.' },
    SOL_TO_OTHER: { description: 'SOL goes to somebody else.' },
    SPENDING_ALLOWED: { description: 'Somebody else may spend tokens of an account from now on.' },
    AUTHORITY_CHANGED: { description: 'The owner or another authority of an account changes.' },
    TOKENS_BURNED: { description: 'Tokens of an account are destroyed.' },
    ACCOUNT_CLOSED_TO_OTHER: { description: 'The SOL of an account that is closed goes to somebody else.' },
    LOOKUP_TABLE_UNREADABLE: {
      description: 'A lookup table does not exist or lacks an entry, so some accounts are not known.',
    },
  } as const satisfies Record<TransactionWarning['code'], { description: string }>,
});

export const ExplanationWarningRef = builder.objectRef<TransactionWarning>('ExplanationWarning').implement({
  description: 'Something to look at before signing.',
  fields: (t) => ({
    code: t.expose('code', { type: WarningCodeRef, description: 'Kind of the warning.' }),
    message: t.exposeString('message', { description: 'Effect, in words.' }),
    instructionIndex: t.exposeInt('instructionIndex', {
      nullable: true,
      description: 'Index of the instruction, from 0. Null when it is about the whole transaction.',
    }),
  }),
});

export const UnknownPartsRef = builder.objectRef<TransactionExplanation>('UnknownParts').implement({
  description: 'Parts of a transaction that the gateway does not know.',
  fields: (t) => ({
    programs: t.expose('unknownPrograms', {
      type: ['Address'],
      description: 'Programs that it calls. Programs that those call are not listed.',
    }),
    writableAccounts: t.expose('unknownWritableAccounts', {
      type: ['Address'],
      description: 'Accounts that it may change and that belong neither to the platform nor to a signer.',
    }),
  }),
});
