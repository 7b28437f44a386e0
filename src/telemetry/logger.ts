import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';

/** Writes JSON lines. It is never given the body, variables or headers of a request. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled' | 'child'>;

const HIDDEN = '[hidden]';
/** Field names that may hold a credential by mistake, redacted up to three levels deep. */
const SECRET_NAMES = ['authorization', 'cookie', 'set-cookie', 'x-api-key', 'apiKey', 'password'];
const SECRET_PATHS = SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/** Hides URLs of services, which may carry keys. File URLs stay, because stack traces need them. */
export function withoutUrls(text: string): string {
  return text.replace(/\b(?!file:)[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)]+/gi, HIDDEN);
}

/** The loggable parts of a failure: name, code, message and stack, and those of its causes. */
function describeFailure(failure: unknown, depth = 3): object {
  if (!(failure instanceof Error)) return { message: withoutUrls(String(failure)) };
  const { code } = failure as { code?: unknown };
  return {
    name: failure.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: withoutUrls(failure.message),
    stack: withoutUrls(failure.stack ?? ''),
    ...(failure.cause === undefined || depth === 0
      ? {}
      : { cause: describeFailure(failure.cause, depth - 1) }),
  };
}

let written = { ms: Number.NaN, field: '' };
/** Formatted once for the lines of a millisecond: formatting takes longer than the rest of a line. */
function timestampField(): string {
  const ms = Date.now();
  if (ms !== written.ms) written = { ms, field: `,"time":"${new Date(ms).toISOString()}"` };
  return written.field;
}

export function createLogger(level: string, destination: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: timestampField,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (failure: unknown) => describeFailure(failure) },
    redact: { paths: SECRET_PATHS, censor: HIDDEN },
  };
  return pino(options, destination);
}

export const SILENT: Logger = createLogger('silent', { write: () => {} });

/** Chooses the log fields and message of a failure. */
export type DescribeFailure = (failure: unknown) => { readonly fields: object; readonly message: string };

/** Logs the first failure at once, then at most one per interval with the number left out since (`unsaid`). */
export function failureLog(
  logger: Logger,
  message: string | DescribeFailure,
  intervalMs: number,
  now: () => number = () => performance.now(),
): (failure: unknown) => void {
  const describe: DescribeFailure =
    typeof message === 'string' ? (failure) => ({ fields: { err: failure }, message }) : message;
  let quietUntil = Number.NEGATIVE_INFINITY;
  let unsaid = 0;
  return (failure) => {
    if (now() < quietUntil) {
      unsaid += 1;
      return;
    }
    const { fields, message: text } = describe(failure);
    logger.warn({ ...fields, ...(unsaid === 0 ? {} : { unsaid }) }, text);
    quietUntil = now() + intervalMs;
    unsaid = 0;
  };
}
