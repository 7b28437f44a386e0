/** The wallet of the embedded chain. Its key is public and worthless anywhere else. */
export interface DemoWallet {
  readonly address: string;
  /** 64 numbers, as in a Solana key file. */
  readonly secretKey: readonly number[];
}

/** Reads `/demo.json`, which only a gateway with the embedded chain has. Null without it. */
export async function readDemoWallet(gatewayUrl: string, signal: AbortSignal): Promise<DemoWallet | null> {
  const response = await fetch(new URL('demo.json', gatewayUrl), { signal });
  return response.ok ? demoWalletOf(await response.json()) : null;
}

/** Null when the text is not what a gateway with the embedded chain sends. */
export function demoWalletOf(page: unknown): DemoWallet | null {
  if (typeof page !== 'object' || page === null) return null;
  const { wallet, secretKey } = page as { readonly wallet?: unknown; readonly secretKey?: unknown };
  if (typeof wallet !== 'string' || !Array.isArray(secretKey) || secretKey.length !== 64) return null;
  return secretKey.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256)
    ? { address: wallet, secretKey }
    : null;
}
