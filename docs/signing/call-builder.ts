/** Response of `POST /ktx/…-instructions`, and `bundle` in GraphQL. */
export interface InstructionBundle {
  readonly instructions: readonly {
    readonly programAddress: string;
    readonly accounts: readonly { readonly address: string; readonly role: BundleRole }[];
    /** Instruction data in base64. */
    readonly data: string;
  }[];
  /** All entries of each lookup table, in index order. */
  readonly lutsByAddress: Readonly<Record<string, readonly string[]>>;
}

export type BundleRole = 'READONLY' | 'WRITABLE' | 'READONLY_SIGNER' | 'WRITABLE_SIGNER';

/** Response of the `POST /ktx/…` operations that return a transaction. */
export interface BuiltTransaction {
  /** Unsigned transaction in base64. */
  readonly transaction: string;
}

/** An error response of a builder. `code` is for programs, `message` for people. */
export class BuildError extends Error {
  readonly code: string | undefined;
  /** Seconds to wait before a retry. Undefined when a retry will not help. */
  readonly retryAfter: number | undefined;

  constructor(message: string, code: string | undefined, retryAfter: number | undefined) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** Calls a builder, for example `callBuilder(url, '/ktx/kvault/deposit', { wallet, kvault, amount: '12.5' })`. */
export async function callBuilder<Answer extends InstructionBundle | BuiltTransaction>(
  gatewayUrl: string,
  path: `/ktx/${string}`,
  body: Readonly<Record<string, string>>,
): Promise<Answer> {
  const response = await fetch(new URL(path, gatewayUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.ok) return (await response.json()) as Answer;
  const { message, code } = (await response.json()) as { message: string; code?: string };
  const retryAfter = response.headers.get('retry-after');
  throw new BuildError(message, code, retryAfter === null ? undefined : Number(retryAfter));
}
