/** The text of a response. Null when the body is larger than `maxBytes`, decompressed; the rest is not read. */
export async function boundedText(
  { body }: Pick<Response, 'body'>,
  maxBytes: number,
): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  const reader = body?.getReader();
  for (let bytes = 0; ; ) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) return Buffer.concat(chunks).toString('utf8');
    bytes += chunk.value.length;
    if (bytes > maxBytes) {
      await reader?.cancel();
      return null;
    }
    chunks.push(chunk.value);
  }
}
