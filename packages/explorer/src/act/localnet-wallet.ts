/** The wallet of the localnet. Its key is public and worthless anywhere else. */
export interface LocalnetWallet {
  readonly address: string;
  /** 64 numbers, as in a Solana key file. */
  readonly secretKey: readonly number[];
}

/** Reads `/localnet.json`, which only a gateway with the localnet has. Null without it. */
export async function readLocalnetWallet(
  gatewayUrl: string,
  signal: AbortSignal,
): Promise<LocalnetWallet | null> {
  const response = await fetch(new URL('localnet.json', gatewayUrl), { signal });
  return response.ok ? localnetWalletOf(await response.json()) : null;
}

/** Null when the text is not what a gateway with the localnet sends. */
export function localnetWalletOf(page: unknown): LocalnetWallet | null {
  if (typeof page !== 'object' || page === null) return null;
  const { wallet, secretKey } = page as { readonly wallet?: unknown; readonly secretKey?: unknown };
  if (typeof wallet !== 'string' || !Array.isArray(secretKey) || secretKey.length !== 64) return null;
  return secretKey.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256)
    ? { address: wallet, secretKey }
    : null;
}
