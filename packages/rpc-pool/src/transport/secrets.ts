const MAX_MESSAGE_LENGTH = 200;
/** Longer messages are dropped. */
const MAX_READ_LENGTH = 10_000;
/** Shorter parts of a URL ("v2", "rpc") are not secret, and hiding them would garble ordinary words. */
const MIN_SECRET_LENGTH = 4;

/** The parts of the URLs that identify a host or a key, longest first. */
export function secretsOf(urls: readonly URL[]): readonly string[] {
  const parts = urls.flatMap((url) => [
    url.href,
    url.host,
    url.hostname,
    url.username,
    url.password,
    url.search,
    ...url.pathname.split('/'),
    ...url.searchParams.values(),
  ]);
  const spellings = parts.flatMap((part) => [part, decoded(part)]);
  return [...new Set(spellings)]
    .filter((part) => part.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
}

/** Sanitises an endpoint's message: no secret, URL, host or control character, and a bounded length. */
export function hideSecrets(message: string, secrets: readonly string[]): string {
  if (message.length > MAX_READ_LENGTH) return '';
  const shown = secrets
    .reduce((text, secret) => text.replaceAll(secret, '[hidden]'), message)
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S*/gi, '[hidden]')
    .replace(/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, '[hidden]')
    .replace(/\b[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:\d+)?\b/gi, '[hidden]')
    .replace(/\p{C}+/gu, ' ')
    .trim();
  return shown.length > MAX_MESSAGE_LENGTH ? `${shown.slice(0, MAX_MESSAGE_LENGTH)}...` : shown;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
