import type { RequestOptions, SluiceClient } from './client.ts';
import type { ErrorCode } from './error-codes.ts';
import { SluiceError } from './errors.ts';
import { badAnswer, type HttpAnswer } from './transport.ts';

export interface LendingBody {
  /** Owner of the position, who signs the transaction and pays its fee. */
  readonly wallet: string;
  readonly market: string;
  readonly reserve: string;
  /** In whole tokens. `ALL_OF_IT` repays or withdraws everything. */
  readonly amount: string;
}

export interface VaultBody {
  /** Owner of the shares, who signs the transaction and pays its fee. */
  readonly wallet: string;
  readonly kvault: string;
  /** In whole tokens; in whole shares for a withdrawal. `ALL_OF_IT` withdraws everything. */
  readonly amount: string;
}

/** The amount that stands for everything in the REST API. */
export const ALL_OF_IT = '18446744073709551615';

/** Bodies of the builders by the path of their operation, below `/ktx/`. */
export interface RestBodies {
  readonly 'klend/deposit': LendingBody;
  readonly 'klend/borrow': LendingBody;
  readonly 'klend/repay': LendingBody;
  readonly 'klend/withdraw': LendingBody;
  readonly 'kvault/deposit': VaultBody;
  readonly 'kvault/withdraw': VaultBody;
}

/** Instructions for a transaction of your own, with the content of its lookup tables. */
export interface InstructionBundle {
  readonly instructions: readonly {
    readonly programAddress: string;
    readonly accounts: readonly {
      readonly address: string;
      readonly role: 'READONLY' | 'WRITABLE' | 'READONLY_SIGNER' | 'WRITABLE_SIGNER';
    }[];
    /** Instruction data in base64. */
    readonly data: string;
  }[];
  /** All entries of each lookup table, in index order. */
  readonly lutsByAddress: Readonly<Record<string, readonly string[]>>;
}

/** An unsigned transaction, in base64: `restTransaction(client, 'kvault/deposit', { wallet, kvault, amount: '12.5' })`. */
export async function restTransaction<Operation extends keyof RestBodies>(
  client: SluiceClient,
  operation: Operation,
  body: RestBodies[Operation],
  options: RequestOptions = {},
): Promise<string> {
  const parse = (answer: HttpAnswer) => resultOf<{ readonly transaction: string }>(answer, 'transaction');
  return (await client.rest(`ktx/${operation}`, body, parse, options)).transaction;
}

/**
 * The instructions of the same action, for a transaction with your own budget, blockhash or further instructions.
 *
 * @example
 * const { instructions } = await restInstructions(client, 'kvault/deposit', { wallet, kvault, amount: '12.5' });
 */
export async function restInstructions<Operation extends keyof RestBodies>(
  client: SluiceClient,
  operation: Operation,
  body: RestBodies[Operation],
  options: RequestOptions = {},
): Promise<InstructionBundle> {
  const parse = (answer: HttpAnswer) => resultOf<InstructionBundle>(answer, 'instructions');
  return await client.rest(`ktx/${operation}-instructions`, body, parse, options);
}

/** Throws the error of a builder. @param field one that every result has */
function resultOf<Result>(answer: HttpAnswer, field: string): Result {
  const { json, status, retryAfter, requestId } = answer;
  if (status === 200 && isObject(json) && field in json) return json as Result;
  if (!isObject(json) || typeof json.message !== 'string') throw badAnswer(answer);
  throw new SluiceError(json.message, {
    // Without one it is a plain HTTP failure, such as a path that does not exist.
    code: typeof json.code === 'string' ? (json.code as ErrorCode) : 'BAD_ANSWER',
    // The gateway sends the header with errors that a retry may solve.
    retryable: retryAfter !== null,
    context: { status, ...(retryAfter === null ? {} : { retryAfter }) },
    requestId,
  });
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null;
}
