const MAX_LOG_BYTES = 10_000;

/** The messages that a node keeps. A short one may still fit after a long one was dropped. */
export function limitLogs(logs: readonly string[]): string[] {
  const logged: string[] = [];
  let bytes = 0;
  let isTruncated = false;
  for (const message of logs) {
    const length = Buffer.byteLength(message);
    if (bytes + length < MAX_LOG_BYTES) {
      bytes += length;
      logged.push(message);
    } else if (!isTruncated) {
      isTruncated = true;
      logged.push('Log truncated');
    }
  }
  return logged;
}
