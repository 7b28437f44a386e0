import type { EncodedAnswer } from '../../http/encoded-answer.ts';
import { staticAnswer } from '../../http/static-answer.ts';

/** An answer that is made on first use. */
export function encodedOnce(
  contentType: string,
  cacheControl: string,
  content: () => Promise<Uint8Array>,
  headers: Readonly<Record<string, string>> = {},
): () => Promise<EncodedAnswer> {
  let encoded: Promise<EncodedAnswer> | undefined;
  const encode = async () =>
    staticAnswer(await content(), {
      contentType,
      headers: { 'cache-control': cacheControl, vary: 'Accept-Encoding', ...headers },
    });
  return () => {
    encoded ??= encode();
    return encoded;
  };
}
