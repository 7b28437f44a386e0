/** Body of `POST /ktx/…-instructions`, and `bundle` in the graph. */
export interface InstructionBundle {
  readonly instructions: readonly {
    readonly programAddress: string;
    readonly accounts: readonly { readonly address: string; readonly role: BundleRole }[];
    /** Base64. */
    readonly data: string;
  }[];
  /** Whole content of each lookup table, in order. */
  readonly lutsByAddress: Readonly<Record<string, readonly string[]>>;
}

export type BundleRole = 'READONLY' | 'WRITABLE' | 'READONLY_SIGNER' | 'WRITABLE_SIGNER';

/** Body of the other `POST /ktx/…`. */
export interface BuiltTransaction {
  /** Base64. */
  readonly transaction: string;
}

/** What the builders answer when they do not build. `code` is meant for programs, `message` for people. */
export class BuildError extends Error {
  readonly code: string | undefined;
  /** Seconds after which the same request may succeed; undefined when it will not. */
  readonly retryAfter: number | undefined;

  constructor(message: string, code: string | undefined, retryAfter: number | undefined) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** Asks a builder, for example `askBuilder(url, '/ktx/kvault/deposit', { wallet, kvault, amount: '12.5' })`. */
export async function askBuilder<Answer extends InstructionBundle | BuiltTransaction>(
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
