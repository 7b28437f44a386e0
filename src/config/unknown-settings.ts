import { editDistance } from '../node/edit-distance.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * First words of settings that other software uses as well. Variables that begin with one of them are ours only where they
 * repeat more of a setting. The first word of any other setting is ours alone.
 */
const SHARED_WORDS: ReadonlySet<string> = new Set([
  'CORS',
  'DATA',
  'DATABASE',
  'DISCOVERY',
  'DRIFT',
  'EXPLORER',
  'GRAPHQL',
  'HOST',
  'KEEP',
  'KEYS',
  'LOG',
  'MARKET',
  'MAX',
  'MCP',
  'METRICS',
  'OTEL',
  'PORT',
  'PROGRAMS',
  'PROXY',
  'PUBLIC',
  'REDIS',
  'REQUEST',
  'RESENDS',
  'SEND',
  'SHUTDOWN',
  'TRUSTED',
  'VAULT',
]);

/** Variables of other programs that begin like settings of ours. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  // Test helpers of our client.
  'SLUICE_GATEWAY',
  // Tools of Solana.
  'SOLANA_CONFIG_FILE',
  'SOLANA_HOME',
  'SOLANA_INSTALL_INIT_ARGS',
  'SOLANA_METRICS_CONFIG',
  'SOLANA_RELEASE',
  'SOLANA_VERSION',
  // getstream.io
  'STREAM_API_KEY',
  'STREAM_API_SECRET',
  'STREAM_URL',
]);

const MAX_DISTANCE = 2;

/** A variable that is meant as a setting and is none; `meant` is the most similar setting. */
export interface UnknownSetting {
  readonly variable: string;
  readonly meant: string;
}

/**
 * Variables that look like settings of ours, in any case. A misspelt setting would be ignored, and its default could be
 * anything but what the operator wants. Names of up to four letters have too many neighbours to be recognised when they are
 * misspelt.
 *
 * @param former current names by former name, which is still accepted
 */
export function unknownSettings(
  env: Environment,
  settings: readonly string[],
  former: Readonly<Record<string, string>> = {},
): readonly UnknownSetting[] {
  const names = new Set([...settings, ...Object.keys(former)]);
  const isOfService = serviceVariables(env);
  const ownWords = ownWordsOf([...names]);
  return Object.entries(env).flatMap(([variable, value = '']) => {
    if (names.has(variable) || value.trim() === '') return [];
    const name = variable.toUpperCase();
    if (OF_OTHERS.has(name) || isOfService(name)) return [];
    const asNow = current(name, former);
    const meant =
      similar(asNow, settings) ??
      switched(asNow, settings) ??
      extended(asNow, settings) ??
      (ownWords.test(name) ? nearest(asNow, settings) : undefined);
    return meant === undefined ? [] : [{ variable, meant }];
  });
}

/** Matches names whose first word, in singular or plural, is that of a setting and not used by others. */
function ownWordsOf(names: readonly string[]): RegExp {
  const words = ['SLUICE', ...names.map(firstWord).filter((word) => !SHARED_WORDS.has(word))];
  return new RegExp(`^(?:${[...new Set(words.map((word) => word.replace(/S$/, '')))].join('|')})S?(?:_|$)`);
}

const firstWord = (name: string): string => name.split('_', 1)[0] ?? '';

/** The setting of one word that a variable such as `MCP_ENABLED` or `DISABLE_MCP` is to switch. */
function switched(name: string, settings: readonly string[]): string | undefined {
  const [, before, after] =
    /^(?:(?:ENABLE|DISABLE|NO)_(\w+)|(\w+)_(?:ENABLED?|DISABLED?|MODE|ON|OFF))$/.exec(name) ?? [];
  return settings.find((setting) => setting === (before ?? after));
}

/**
 * The setting that begins with all words of a variable, as `MAX_BODY_BYTES` does with `MAX_BODY`, or with all but the last,
 * as with `MAX_BODY_SIZE`: two words at least. The names of OpenTelemetry are not ours.
 */
function extended(name: string, settings: readonly string[]): string | undefined {
  const words = name.split('_');
  const starts = [words, words.slice(0, -1)].filter(({ length }) => length >= 2);
  for (const start of starts) {
    const found = settings.filter(
      (each) => each.startsWith(`${start.join('_')}_`) && firstWord(each) !== 'OTEL',
    );
    if (found.length > 0) return nearest(name, found);
  }
  return undefined;
}

/** The name with the first word of a former name replaced: `DEMO_SIZE` is meant as `LOCALNET_SIZE`. */
function current(name: string, former: Readonly<Record<string, string>>): string {
  const [, renamed] = Object.entries(former).find(([old]) => firstWord(old) === firstWord(name)) ?? [];
  return renamed === undefined ? name : name.replace(/^[^_]+/, firstWord(renamed));
}

/** The setting within two letters, or within one for a short name. Y and IES, as in PROXIES, count as none. */
function similar(name: string, settings: readonly string[]): string | undefined {
  const close = settings.filter((setting) => {
    const most = setting.length >= 8 ? MAX_DISTANCE : setting.length > 4 ? 1 : 0;
    return isWithin(singular(name), singular(setting), most);
  });
  return close.length === 0 ? undefined : nearest(name, close);
}

/** Whether a text becomes the other by so many insertions, deletions and replacements. Few letters decide in most cases. */
function isWithin(a: string, b: string, edits: number): boolean {
  if (Math.abs(a.length - b.length) > edits) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const [rest, other] = [a.slice(same), b.slice(same)];
  if (rest === '' || other === '') return rest.length + other.length <= edits;
  if (edits === 0) return false;
  return (
    isWithin(rest.slice(1), other.slice(1), edits - 1) ||
    isWithin(rest.slice(1), other, edits - 1) ||
    isWithin(rest, other.slice(1), edits - 1)
  );
}

const singular = (name: string): string => name.replaceAll(/IES(?=_|$)/g, 'Y');

/** One that contains the name or that the name ends with comes first, then one with the same first word. */
function nearest(name: string, settings: readonly string[]): string {
  const rank = (setting: string): number => {
    if (setting.includes(name) || name.endsWith(`_${setting}`)) return 0;
    return firstWord(setting) === firstWord(name) ? 1 : 2;
  };
  const [first = ''] = settings.toSorted(
    (a, b) => rank(a) - rank(b) || distance(name, a) - distance(name, b),
  );
  return first;
}

const distance = (a: string, b: string): number => editDistance([...a], [...b], (x, y) => (x === y ? 0 : 1));

/** Recognises the variables that Kubernetes sets for each service of a namespace, and Docker for each link. */
function serviceVariables(env: Environment): (variable: string) => boolean {
  const services = new Set<string>();
  for (const variable of Object.keys(env)) {
    const [, service] = /^(.+)_(?:SERVICE_HOST|PORT_\d+_(?:TCP|UDP|SCTP))$/.exec(variable) ?? [];
    if (service !== undefined) services.add(service);
  }
  return (variable) => {
    const [, service] =
      /^(.+?)_(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/.exec(
        variable,
      ) ?? [];
    return service !== undefined && services.has(service);
  };
}
