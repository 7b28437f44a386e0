import { ERROR_CODES } from '../../../src/errors/codes.ts';
import type { FuzzAnswer, FuzzRequest } from './fuzz-request.ts';

/** Must not appear in any answer: stack traces, source files, and messages of the runtime, database or its client. */
const INSIDE = [
  /\n\s+at \S.*:\d+/,
  /\bat [\w.<>]+ \(/,
  /node_modules|node:internal|file:\/\/|\/src\/|\.[cm]?[jt]s:\d/,
  /\b(?:Type|Range|Reference|Syntax|Eval|Aggregate|Assertion)Error\b/,
  /Cannot read propert|is not a function|is not iterable|Unexpected token|Unexpected end of JSON|call stack/,
  /\bE(?:CONN[A-Z]+|NOTFOUND|PIPE|NOENT|INVAL)\b/,
  /\bSELECT\b[\s\S]*\bFROM\b|\bINSERT INTO\b|\bprisma\b|\brelation "|\bsyntax error at\b/i,
  /\[object \w+\]/,
] as const;

export interface InnerWords {
  /** Upstream addresses, which no answer may contain. */
  readonly upstreams: readonly string[];
}

/** Problems that any answer can have. */
export function leakedInternals({ text, headers }: FuzzAnswer, { upstreams }: InnerWords): string[] {
  // The GraphiQL page contains third-party code.
  if (typeOf(headers) === 'text/html') return [];
  const content = `${text}\n${JSON.stringify(headers)}`;
  const found = INSIDE.map((pattern) => pattern.exec(content)).filter((match) => match !== null);
  return [
    ...found.map(
      (match) => `leaks internals: ${content.slice(Math.max(0, match.index - 60), match.index + 140)}`,
    ),
    ...upstreams.filter((url) => content.includes(url)).map((url) => `names ${url}`),
    ...(/"INTERNAL"/.test(content) ? [`fails with an internal error: ${text.slice(0, 300)}`] : []),
  ];
}

/** Responses of Node's HTTP parser: headers too long, no host, unknown expectations. */
const OF_THE_SERVER = [400, 417, 431];

/** Whether the request was rejected before any handler. */
export function isRefusedByServer({ status, headers, text }: FuzzAnswer, request: FuzzRequest): boolean {
  const isOdd = ['host', 'expect'].some((name) => request.headers[name] !== undefined);
  const isLong = request.target.length + JSON.stringify(request.headers).length > 10_000;
  return (
    OF_THE_SERVER.includes(status) &&
    (isOdd || isLong) &&
    text === '' &&
    headers['content-type'] === undefined
  );
}

export const typeOf = (headers: FuzzAnswer['headers']): string =>
  String(headers['content-type'] ?? '')
    .split(';')[0]
    ?.trim()
    .toLowerCase() ?? '';

/** The parsed JSON body, or the reason why it is invalid. */
export function readJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: `the body is no JSON: ${text.slice(0, 200)}` };
  }
}

const JSON_TYPES = ['application/json', 'application/graphql-response+json'];

/** Problems of a GraphQL answer. */
export function graphProblems(answer: FuzzAnswer, method: string, statuses: ReadonlySet<number>): string[] {
  const { status, headers, text } = answer;
  const undocumented = statuses.has(status) ? [] : [`status ${status} is not documented`];
  const type = typeOf(headers);
  if (method === 'HEAD' || status === 204 || status === 304 || type === 'text/html') return undocumented;
  if (type === 'text/event-stream') return [...undocumented, ...eventsOf(text).flatMap(resultProblems)];
  if (!JSON_TYPES.includes(type)) return [...undocumented, `content-type ${type}: ${text.slice(0, 200)}`];
  const read = readJson(text);
  return [...undocumented, ...('problem' in read ? [read.problem] : resultProblems(read.value))];
}

function eventsOf(text: string): unknown[] {
  return [...text.matchAll(/^data: ([^\n]+)$/gm)].map(([, data = '']) => {
    const read = readJson(data);
    return 'problem' in read ? null : read.value;
  });
}

function resultProblems(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['the answer is no object'];
  const { data, errors } = value as { data?: unknown; errors?: unknown };
  if (data === undefined && errors === undefined) return ['the answer has neither data nor errors'];
  if (errors === undefined) return [];
  if (!Array.isArray(errors) || errors.length === 0) return ['its errors are no list of some'];
  return errors.flatMap((error: { message?: unknown; extensions?: { code?: unknown } }) => {
    const code = String(error.extensions?.code);
    return [
      ...(typeof error.message === 'string' && error.message !== '' ? [] : ['an error has no message']),
      ...(Object.hasOwn(ERROR_CODES, code) ? [] : [`the code ${code} is not in the table`]),
    ];
  });
}
