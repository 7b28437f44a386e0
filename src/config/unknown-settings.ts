import { editDistance } from '../node/edit-distance.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Only settings of ours begin like this in the environment of a gateway. */
const OWN_PREFIX =
  /^(?:SLUICE|SOLANA|RPC|KLEND|KVAULT|FARMS|LOCALNET|RATE_LIMIT|MAX_QUERY|PERSISTED|LOAN_INDEX|INGEST|ALERTS?)_/;

/** Variables of other programs that begin like settings of ours: test helpers of the client, and the tools of Solana. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  'SLUICE_GATEWAY',
  'SOLANA_CONFIG_FILE',
  'SOLANA_HOME',
  'SOLANA_METRICS_CONFIG',
  'SOLANA_RELEASE',
  'SOLANA_VERSION',
]);

/** Names of our settings have this form. Those of npm and of proxies, for example, are in lower case. */
const NAME = /^[A-Z][A-Z0-9_]*$/;
const MAX_DISTANCE = 2;

/** A variable that is meant as a setting and is none; `meant` is the most similar setting. */
export interface UnknownSetting {
  readonly variable: string;
  readonly meant: string;
}

/**
 * Variables that look like settings of ours. A misspelt setting would be ignored, and its default could be anything but
 * what the operator wants. Names of up to four letters have too many neighbours to be recognised when they are misspelt.
 *
 * @param known all names that settings have or had
 */
export function unknownSettings(env: Environment, known: readonly string[]): readonly UnknownSetting[] {
  const names = new Set(known);
  const isOfService = serviceVariables(env);
  return Object.entries(env).flatMap(([variable, value = '']) => {
    if (names.has(variable) || OF_OTHERS.has(variable) || value.trim() === '') return [];
    if (!NAME.test(variable) || isOfService(variable)) return [];
    const meant = similar(variable, known);
    if (meant !== undefined) return [{ variable, meant }];
    return OWN_PREFIX.test(variable) ? [{ variable, meant: nearest(variable, known) }] : [];
  });
}

/** The setting within two letters, or within one for a short name. */
function similar(variable: string, known: readonly string[]): string | undefined {
  const close = known.filter((name) => {
    const most = name.length >= 8 ? MAX_DISTANCE : name.length > 4 ? 1 : 0;
    return Math.abs(name.length - variable.length) <= most && distance(variable, name) <= most;
  });
  return close.length === 0 ? undefined : nearest(variable, close);
}

function nearest(variable: string, known: readonly string[]): string {
  const [first = ''] = known.toSorted((a, b) => distance(variable, a) - distance(variable, b));
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
