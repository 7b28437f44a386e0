import type { OperationRow, Refusal } from '../operations/operation-row.ts';
import type { RestAnswer } from './contract-app.ts';
import { errorBody } from './error-bodies.ts';
import { misfits, type Shape } from './field-shapes.ts';
import { answerProblems } from './openapi-validator.ts';
import { parseCsv } from './parse-csv.ts';

/** Must not appear in any answer: stack traces, source locations, upstream addresses. */
const INSIDE = /\bat .+:\d+:\d+|node_modules|\.ts:\d|127\.0\.0\.1|localhost|\[object /;

/** Problems of a successful answer. */
export function answerFaults({ method, path, answer }: OperationRow, given: RestAnswer): string[] {
  const { status, headers, text } = given;
  if (status !== 200) return [`status ${status}: ${text.slice(0, 200)}`];
  const forms = { 'x-view': /^[0-9a-f]{8}-\d+$/, 'x-slot': /^\d+$/ };
  const context = Object.entries(forms).flatMap(([name, form]) =>
    form.test(headers.get(name) ?? '') ? [] : [name],
  );
  const type = headers.get('content-type') ?? '';
  const media = typeof answer === 'string' && answer.includes('/') ? answer : 'application/json';
  const body = media === 'application/json' ? given.body : text;
  return [
    ...context.map((name) => `no ${name}`),
    ...(type.split(';')[0] === media ? [] : [`content-type ${type}`]),
    ...(media in TEXT_FAULTS ? (TEXT_FAULTS[media]?.(text) ?? []) : misfits(answer as Shape, body)),
    ...answerProblems(method, path, status, body).map((problem) => `by openapi.json: ${problem}`),
  ];
}

const TEXT_FAULTS: Readonly<Record<string, (text: string) => string[]>> = {
  'image/svg+xml': svgFaults,
  'text/csv': csvFaults,
  'application/jsonl': linesFaults,
};

/** Every record has as many cells as the first, and no text begins a formula. */
function csvFaults(text: string): string[] {
  const records = parseCsv(text);
  const [columns = []] = records;
  return [
    ...(text.endsWith('\r\n') ? [] : ['has no end of the last line']),
    ...(records.every(({ length }) => length === columns.length) ? [] : ['has lines of other lengths']),
    ...(records.flat().some((cell) => /^[=+@]/.test(cell)) ? ['has a formula'] : []),
  ];
}

function linesFaults(text: string): string[] {
  const lines = text.split('\n');
  if (lines.pop() !== '') return ['has no end of the last line'];
  return lines.flatMap((line) => (typeof JSON.parse(line) === 'object' ? [] : [`is no object: ${line}`]));
}

function svgFaults(text: string): string[] {
  const whole =
    /^(?:<\?xml[^>]*\?>\s*)?<svg\b[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]*<\/svg>\s*$/;
  return [
    ...(whole.test(text) ? [] : ['is no SVG document']),
    ...(/<script|\son\w+=|<foreignObject|javascript:/i.test(text) ? ['runs code'] : []),
    ...(/<text\b/.test(text) ? [] : ['has no text to read']),
  ];
}

/** Problems of an error answer that the contract lists. */
export function refusalFaults({ method, path }: OperationRow, refusal: Refusal, given: RestAnswer): string[] {
  const { status, code, at } = refusal;
  if (given.status !== status)
    return [`status ${given.status} instead of ${status}: ${given.text.slice(0, 200)}`];
  return [
    ...errorFaults(method, path, given, at !== undefined),
    ...codeFaults(path, code, given),
    ...(at === undefined || detailPaths(given.body).includes(at) ? [] : [`no detail names ${at}`]),
    ...(given.headers.get('retry-after') === null ? [] : ['says to try again']),
  ];
}

/** Problems of any error answer: its shape, its documentation, leaked internals. */
export function errorFaults(
  method: string,
  path: string,
  { status, body, text, headers }: RestAnswer,
  validation = false,
): string[] {
  const type = headers.get('content-type') ?? '';
  return [
    ...(type.startsWith('application/json') ? [] : [`content-type ${type}`]),
    ...misfits(errorBody(path, status, validation), body),
    ...answerProblems(method, path, status, body).map((problem) => `by openapi.json: ${problem}`),
    ...(INSIDE.test(text) ? [`leaks internals: ${text.slice(0, 200)}`] : []),
    ...(text.length > 2_000 ? [`is ${text.length} characters long`] : []),
  ];
}

function codeFaults(path: string, code: string | undefined, { headers, body }: RestAnswer): string[] {
  const given = path.startsWith('/ktx/')
    ? (body as { readonly code?: unknown }).code
    : headers.get('x-error-code');
  if (code === undefined) return /^[A-Z][A-Z0-9_]+$/.test(String(given)) ? [] : [`code ${given}`];
  return given === code ? [] : [`code ${given} instead of ${code}`];
}

function detailPaths(body: unknown): string[] {
  const { details } = body as { readonly details?: readonly { readonly path?: readonly unknown[] }[] };
  return (details ?? []).map(({ path }) => String(path?.[0]));
}
