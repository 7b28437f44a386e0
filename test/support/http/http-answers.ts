import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { App } from '../../../src/app/app.ts';

const ORIGIN = 'http://sluice.test';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** As received, compressed or not. */
  readonly bytes: Buffer;
}

/** One request without a socket; returns the bytes that would be sent. */
export async function http(
  app: App,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { method = 'GET', body }: { readonly method?: string; readonly body?: string } = {},
): Promise<HttpAnswer> {
  const response = await app.fetch(
    new Request(`${ORIGIN}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** The bytes before they were compressed. */
export function unpacked({ headers, bytes }: HttpAnswer): Buffer {
  const coding = headers.get('content-encoding');
  if (coding === 'br') return brotliDecompressSync(bytes);
  return coding === 'gzip' ? gunzipSync(bytes) : bytes;
}
