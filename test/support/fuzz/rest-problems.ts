import { ERROR_CODES } from '../../../src/errors/codes.ts';
import { answerProblems, OPENAPI } from '../contract/openapi-validator.ts';
import type { FuzzAnswer, FuzzRequest } from './fuzz-request.ts';
import { readJson, typeOf } from './judge-answers.ts';

/** Statuses outside any operation: redirect from /, not found, wrong method, OPTIONS, and HTTP parser errors. */
const BESIDE_OPERATIONS = new Set([204, 302, 400, 401, 404, 405, 413, 429]);
/** Statuses of a path with dot segments, whatever it would lead to: not resolved, or refused earlier. */
const WITH_DOT_SEGMENTS = new Set([400, 401, 404, 413, 429]);
/** Statuses of any GET in addition to its documented ones; see docs/rest-http.md. */
const NOT_MODIFIED = 304;

const TEMPLATES = Object.entries(OPENAPI.paths).map(([path, methods]) => ({
  path,
  methods: Object.keys(methods),
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  parameters: path.split('{').length - 1,
}));

function hasDotSegments({ target }: FuzzRequest): boolean {
  const [path = ''] = target.split('?', 1);
  return path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}

/** The documented operation that a request is for. */
function operationOf({ method, target }: FuzzRequest): { path: string; method: string } | undefined {
  // Slashes doubled at the start and slashes at the end do not count.
  const { pathname } = new URL(target.startsWith('http') ? target : `http://sluice.test${target}`);
  const path = pathname.replace(/^\/+/, '/').replace(/(?<=.)\/+$/, '');
  const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
  const found = TEMPLATES.filter(({ pattern, methods }) => pattern.test(path) && methods.includes(asked))
    // Literal segments take precedence over parameters.
    .sort((a, b) => a.parameters - b.parameters)[0];
  return found === undefined ? undefined : { path: found.path, method: asked };
}

/** Deviations of a REST answer from the OpenAPI document. */
export function restProblems(request: FuzzRequest, answer: FuzzAnswer): string[] {
  const { status, headers, text } = answer;
  const isDotted = hasDotSegments(request);
  const operation = isDotted ? undefined : operationOf(request);
  const responses =
    operation === undefined ? {} : OPENAPI.paths[operation.path]?.[operation.method]?.responses;
  const documented = Object.hasOwn(responses ?? {}, status);
  const isKnown =
    operation === undefined
      ? (isDotted ? WITH_DOT_SEGMENTS : BESIDE_OPERATIONS).has(status)
      : documented || status === NOT_MODIFIED;
  const problems = isKnown ? [] : [`status ${status} is not documented: ${text.slice(0, 200)}`];
  const code = headers['x-error-code'];
  if (code !== undefined && !Object.hasOwn(ERROR_CODES, String(code)))
    problems.push(`the code ${code} is not in the table`);
  if (request.method === 'HEAD' || [204, 302, NOT_MODIFIED].includes(status)) return problems;
  const type = typeOf(headers);
  if (type === 'text/csv' || type === 'application/jsonl') return problems;
  if (type === 'image/svg+xml')
    return [...problems, ...(/^<svg[\s\S]*<\/svg>\s*$/.test(text) ? [] : ['is no SVG'])];
  if (type !== 'application/json') return [...problems, `content-type ${type}: ${text.slice(0, 200)}`];
  const read = readJson(text);
  if ('problem' in read) return [...problems, read.problem];
  if (operation === undefined || !documented) return problems;
  return [
    ...problems,
    ...answerProblems(operation.method, operation.path, status, read.value).map(
      (each) => `by openapi.json: ${each}`,
    ),
  ];
}
