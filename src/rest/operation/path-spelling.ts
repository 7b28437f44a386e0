/** An old spelling of a documented path. Both have the same parameters, in braces. */
export interface PathAlias {
  readonly alias: `/${string}`;
  readonly path: `/${string}`;
}

/** Old spellings that existing clients use. Each is answered as its documented path. */
export const PATH_ALIASES: readonly PathAlias[] = [
  { alias: '/kvaults/{pubkey}/metrics', path: '/kvaults/vaults/{pubkey}/metrics' },
  { alias: '/kvaults/{pubkey}/metrics/history', path: '/kvaults/vaults/{pubkey}/metrics/history' },
  {
    alias: '/kvaults/{pubkey}/allocation-volume/history',
    path: '/kvaults/vaults/{pubkey}/allocation-volume/history',
  },
  ...['metrics/history', 'pnl', 'pnl/history'].map(
    (what): PathAlias => ({
      alias: `/kvaults/{vaultPubkey}/users/{userPubkey}/${what}`,
      path: `/kvaults/users/{userPubkey}/vaults/{vaultPubkey}/${what}`,
    }),
  ),
  { alias: '/kvault-tokens/{pubkey}/metadata', path: '/kvaults/mints/{pubkey}/metadata' },
  { alias: '/kvault-tokens/{pubkey}/metadata/image.svg', path: '/kvaults/mints/{pubkey}/metadata/image.svg' },
  { alias: '/svc-market', path: '/v2/svc-market' },
  { alias: '/svc-market/{pubkey}', path: '/v2/svc-market/{pubkey}' },
];

const MARKET_SEGMENT = 'svc-market';
/** The page at `/docs` has relative URLs, so this path redirects to it. */
const DOCS_FOLDER = '/docs/';

/** Any segment but the folders of `/kvaults`, whose own paths have the same form. */
const PARAMETER = '(?!(?:vaults|users|mints|private-credit)/)[^/]+';

const RULES = PATH_ALIASES.map(({ alias, path }) => ({
  prefix: alias.replace(/\{.*/, ''),
  pattern: new RegExp(`^${alias.replace('.', '\\.').replace(/\{(\w+)\}/g, `(?<$1>${PARAMETER})`)}$`),
  replacement: path.replace(/\{(\w+)\}/g, '$<$1>'),
}));

/** Name of the market service on mainnet, where clients of the live service send it without a setting here. */
const LIVE_MARKET_SEGMENT = 'kamino-market';

/** Other names of the market service that a deployment accepts. `alias` is the configured one, empty for none. */
export function marketSegments(alias: string, cluster: string): readonly string[] {
  return [alias, cluster === 'mainnet-beta' ? LIVE_MARKET_SEGMENT : ''].filter((name) => name !== '');
}

/**
 * Returns a function that rewrites a path, with or without a query string, to its documented spelling: without a
 * doubled slash at the start or a slash at the end, and without old spellings. `segments` are other names for the market
 * service that existing clients use.
 */
export function documentedSpelling(segments: readonly string[]): (target: string) => string {
  const market = segments.length === 0 ? null : new RegExp(`^(/(?:v\\d/)?)(?:${segments.join('|')})(?=/|$)`);
  return (target) => {
    const mark = target.indexOf('?');
    const path = trimmed(mark === -1 ? target : target.slice(0, mark));
    const spelled = withoutAlias(market === null ? path : path.replace(market, `$1${MARKET_SEGMENT}`));
    return mark === -1 ? spelled : `${spelled}${target.slice(mark)}`;
  };
}

const MARKET_PLACE = /^(\/+(?:v\d\/)?)([^/]+)/;

/**
 * A documented path with the name of the market service that the caller used. `spelled` is the requested path in its
 * documented spelling.
 */
export function spelledAsRequested(documented: string, requested: string, spelled: string): string {
  const [, , used = MARKET_SEGMENT] = MARKET_PLACE.exec(requested) ?? [];
  const [, , named] = MARKET_PLACE.exec(spelled) ?? [];
  return named === MARKET_SEGMENT
    ? documented.replace(MARKET_PLACE, (path, before: string, segment: string) =>
        segment === MARKET_SEGMENT ? `${before}${used}` : path,
      )
    : documented;
}

function trimmed(path: string): string {
  const single = path.startsWith('//') ? path.replace(/^\/+/, '/') : path;
  return single.endsWith('/') && single !== '/' && single !== DOCS_FOLDER ? single.slice(0, -1) : single;
}

function withoutAlias(path: string): string {
  for (const { prefix, pattern, replacement } of RULES) {
    if (path.startsWith(prefix) && pattern.test(path)) return path.replace(pattern, replacement);
  }
  return path;
}
