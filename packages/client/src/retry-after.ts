/** Seconds of a `Retry-After` header, which has seconds or a date. Null when absent or malformed. */
export function retryAfterOf(headers: Headers, nowMs: number = Date.now()): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  // Date.parse alone also takes numbers.
  const at = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, (at - nowMs) / 1_000);
}
