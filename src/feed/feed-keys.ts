/** First part of every key of a feed. */
export const KEY_PREFIX = 'sluice:feed:';

/** The keys of a feed. The braces keep them on one node of a Redis cluster. */
export function feedKeys(name: string) {
  const base = `${KEY_PREFIX}{${name}}:`;
  return {
    lease: `${base}lease`,
    token: `${base}token`,
    head: `${base}head`,
    views: `${base}views`,
    snapshot: `${base}snapshot`,
    asks: `${base}asks`,
    positions: `${base}positions`,
  };
}

/** Types of the keys of a feed, in the order of `feedKeys`. */
export const KEY_TYPES = ['string', 'string', 'hash', 'stream', 'hash', 'stream', 'hash'];
