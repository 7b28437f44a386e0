import type { ErrorCode } from '../../errors/codes.ts';
import { isSluiceError, type SluiceError } from '../../errors/sluice-error.ts';
import type { PreparedBuild } from '../../services/builds.ts';
import { builder } from '../builder.ts';

/** A refusal that a typed client must look at: the type says what kind, the code says which. */
export interface Refusal {
  readonly kind: RefusalName | 'TransactionTooLarge';
  readonly error: SluiceError;
}

export const BuildErrorRef = builder.interfaceRef<Refusal>('BuildError').implement({
  description: 'Why nothing was built.',
  fields: (t) => ({
    code: t.string({
      nullable: false,
      description: 'The same code as on REST; never renamed.',
      resolve: ({ error }) => error.code,
    }),
    message: t.string({
      nullable: false,
      description: 'What is wrong and what to do.',
      resolve: ({ error }) => error.message,
    }),
  }),
});

const REFUSALS = {
  VaultNotFound: { codes: ['KVAULT_NOT_FOUND'], description: 'There is no such vault.' },
  MarketNotFound: { codes: ['KLEND_MARKET_NOT_FOUND'], description: 'There is no such market.' },
  ReserveNotFound: { codes: ['KLEND_RESERVE_NOT_FOUND'], description: 'There is no such reserve.' },
  ReserveNotInMarket: {
    codes: ['RESERVE_NOT_IN_MARKET'],
    description: 'The reserve belongs to another market.',
  },
  ObligationNotFound: {
    codes: ['KLEND_OBLIGATION_NOT_FOUND'],
    description: 'The wallet has no such obligation.',
  },
  PositionNotFound: {
    codes: ['KLEND_POSITION_NOT_FOUND', 'KVAULT_POSITION_NOT_FOUND'],
    description: 'The wallet has no such deposit, debt or shares.',
  },
  InvalidAmount: {
    codes: ['AMOUNT_NOT_POSITIVE', 'AMOUNT_TOO_MANY_DECIMALS', 'DECIMAL_INVALID'],
    description: 'The amount is not positive, or finer than the mint\u2019s smallest unit.',
  },
  AmountOverflow: {
    codes: ['DECIMAL_TO_LAMPORTS_OVERFLOW'],
    description: 'The amount is more than the program can count.',
  },
  BuildRefused: {
    codes: ['BUILD_REFUSED'],
    description:
      'The build was refused: a wish that cannot be met, or in strict mode what the program would refuse.',
  },
} as const satisfies Record<string, { codes: readonly ErrorCode[]; description: string }>;

export type RefusalName = keyof typeof REFUSALS;

const refs = Object.fromEntries(
  Object.entries(REFUSALS).map(([name, { description }]) => [
    name,
    builder.objectRef<Refusal>(name).implement({
      description,
      interfaces: [BuildErrorRef],
      isTypeOf: (value) => (value as Partial<Refusal>).kind === name,
    }),
  ]),
) as Record<RefusalName, ReturnType<typeof refOf>>;

function refOf(name: string) {
  return builder.objectRef<Refusal>(name);
}

export const REFUSAL_REFS = Object.values(refs);

/** The refusal that an error is, or the error again when it is none: a fault of ours or upstream. */
export function refusalOf(error: unknown): Refusal {
  if (isSluiceError(error)) {
    for (const [kind, { codes }] of Object.entries(REFUSALS)) {
      if ((codes as readonly ErrorCode[]).includes(error.code)) return { kind: kind as RefusalName, error };
    }
  }
  throw error;
}

/** An action that fits in no transaction; its instructions are there all the same. */
export interface TooLarge extends Refusal {
  readonly kind: 'TransactionTooLarge';
  readonly error: SluiceError<'TRANSACTION_SIZE_ERROR'>;
  readonly prepared: PreparedBuild;
}
