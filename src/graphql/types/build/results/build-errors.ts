import type { ErrorCode } from '../../../../errors/codes.ts';
import { type CodedError, isCodedError, planStepOf } from '../../../../errors/sluice-error.ts';
import type { PreparedBuild } from '../../../../services/builds/builds.ts';
import { builder } from '../../../builder.ts';

/** Why a build was refused. The type gives the kind of error, the code the exact one. */
export interface Refusal {
  readonly kind: RefusalName | 'TransactionTooLarge';
  readonly error: CodedError;
}

export const BuildErrorRef = builder.interfaceRef<Refusal>('BuildError').implement({
  description: 'The reason why nothing was built.',
  fields: (t) => ({
    code: t.string({
      description: 'Stable error code, the same as in REST.',
      resolve: ({ error }) => error.code,
    }),
    message: t.string({
      description: 'Message that says what is wrong and what to do.',
      resolve: ({ error }) => error.message,
    }),
    step: t.int({
      nullable: true,
      description: 'The step of a plan that cannot be built, counted from 0. Null outside plans.',
      resolve: ({ error }) => planStepOf(error),
    }),
  }),
});

const REFUSALS = {
  VaultNotFound: { codes: ['KVAULT_NOT_FOUND'], description: 'The vault does not exist.' },
  MarketNotFound: { codes: ['KLEND_MARKET_NOT_FOUND'], description: 'The market does not exist.' },
  ReserveNotFound: { codes: ['KLEND_RESERVE_NOT_FOUND'], description: 'The reserve does not exist.' },
  ReserveNotInMarket: {
    codes: ['RESERVE_NOT_IN_MARKET'],
    description: 'The reserve belongs to another market.',
  },
  ObligationNotFound: {
    codes: ['KLEND_OBLIGATION_NOT_FOUND'],
    description: 'The wallet has no such obligation.',
  },
  TicketNotFound: {
    codes: ['KLEND_TICKET_NOT_FOUND'],
    description: 'The withdraw ticket does not exist. It is closed once it is paid.',
  },
  NotVaultAdmin: {
    codes: ['NOT_VAULT_ADMIN'],
    description: 'Another wallet runs the vault: only its admin may do this.',
  },
  PositionNotFound: {
    codes: ['KLEND_POSITION_NOT_FOUND', 'KVAULT_POSITION_NOT_FOUND'],
    description: 'The wallet has no such deposit or debt, or holds no shares.',
  },
  StakeNotFound: {
    codes: ['FARM_STAKE_NOT_FOUND'],
    description: 'The wallet has no stake in the farm.',
  },
  NothingToClaim: {
    codes: ['NOTHING_TO_CLAIM'],
    description: 'The wallet has no reward that it can claim now.',
  },
  InvalidAmount: {
    codes: ['AMOUNT_NOT_POSITIVE', 'AMOUNT_TOO_MANY_DECIMALS', 'DECIMAL_INVALID'],
    description: 'The amount is malformed, not positive, or more precise than the smallest unit of the mint.',
  },
  AmountOverflow: {
    codes: ['DECIMAL_TO_LAMPORTS_OVERFLOW'],
    description: 'The amount does not fit into 64 bits of base units.',
  },
  InvalidOption: {
    codes: [
      'FEE_PAYER_INVALID',
      'MEMO_INVALID',
      'DURABLE_NONCE_INVALID',
      'PRIORITY_FEE_INVALID',
      'TIP_INVALID',
    ],
    description: 'An option of the transactions cannot be used. The code names the option.',
  },
  SwapRefused: {
    codes: ['SWAP_REFUSED', 'QUOTES_OFF', 'QUOTE_REFUSED'],
    description:
      'The swap cannot be used, or there is none: it could break the loan around it, it cannot repay it, the quote for it is too bad, or this deployment quotes no swaps.',
  },
  OrderCannotTrigger: {
    codes: ['ORDER_CANNOT_TRIGGER'],
    description: 'The order can never trigger.',
  },
  BuildRefused: {
    codes: ['BUILD_REFUSED'],
    description:
      'The build was rejected: an option cannot be applied or, in strict mode, the program would reject the transaction.',
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

builder.objectField(refs.SwapRefused, 'instruction', (t) =>
  t.int({
    nullable: true,
    description:
      'Position of the refused instruction in the swap, from 0. Null when no single one is the reason.',
    resolve: ({ error }) => (isCodedError(error, 'SWAP_REFUSED') ? error.context.instruction : null),
  }),
);

export const REFUSAL_REFS = Object.values(refs);

/** Converts an error to a refusal. Rethrows internal and upstream faults. */
export function refusalOf(error: unknown): Refusal {
  if (isCodedError(error)) {
    for (const [kind, { codes }] of Object.entries(REFUSALS)) {
      if ((codes as readonly ErrorCode[]).includes(error.code)) return { kind: kind as RefusalName, error };
    }
  }
  throw error;
}

/** An action that does not fit into a transaction, with its instructions. */
export interface TooLarge extends Refusal {
  readonly kind: 'TransactionTooLarge';
  readonly error: CodedError<'TRANSACTION_SIZE_ERROR'>;
  readonly prepared: PreparedBuild;
}
