import { ERROR_CODES, type ErrorCode } from '../../../src/errors/codes.ts';
import type { FaultGateway, Heard, Readiness } from './fault-gateway.ts';
import type { FaultRow } from './fault-table.ts';
import type { Reply } from './replies.ts';

/** Must not appear in any answer: upstream addresses, credentials and stack traces. */
const INTERNAL =
  /https?:|wss?:|postgres(ql)?:|redis:|127\.0\.0\.1|localhost|hunter2|node_modules|\.[jt]s:\d|\bat \w+ \(/;

/** Observations during a fault. */
export interface Seen {
  readonly gateway: FaultGateway;
  /** Replies while the fault lasted. */
  readonly faulty: readonly Heard[];
  readonly readiness: readonly Readiness[];
}

/** Every deviation from the row and every wrong number. */
export async function judge(row: FaultRow, { gateway, faulty, readiness }: Seen): Promise<readonly string[]> {
  const undocumented = gateway.streamCodes().filter((code) => !row.streams.codes.includes(code));
  return [
    ...faulty.flatMap(({ reply }) => unpromised(row, reply)),
    ...gateway.heard.flatMap(({ reply }) => errorProblems(reply)),
    ...undocumented.map((code) => `streams: ${code} is not documented`),
    ...readiness.flatMap(({ status, text }) => [
      ...(row.ready === 'ready' && status !== 200 ? [`/ready: ${text}`] : []),
      ...(INTERNAL.test(text) ? [`/ready leaks ${text}`] : []),
    ]),
    ...gateway.ended.map((name) => `the stream of ${name} has ended`),
    ...(await gateway.wrongNumbers()),
  ];
}

function unpromised(row: FaultRow, { question, codes }: Reply): readonly string[] {
  const { answers, codes: allowed } = row[question.source];
  if (codes.length === 0) return answers ? [] : [`${question.name}: it answered`];
  return codes
    .filter((code) => !allowed.includes(code))
    .map((code) => `${question.name}: ${code} is not documented`);
}

/** An error needs the status of its code, its retryability, and no internal details. */
function errorProblems(reply: Reply): readonly string[] {
  const { question, status, codes, text } = reply;
  const says = (what: string) => `${question.name}: ${what}: ${text.slice(0, 300)}`;
  const wrong = INTERNAL.test(text) ? [says('it leaks internals')] : [];
  const [code] = codes;
  if (code === undefined) return status === 200 ? wrong : [...wrong, says(`status ${status} without a code`)];
  if (!(code in ERROR_CODES)) return [...wrong, says(`${code} is not an error code`)];
  const known = ERROR_CODES[code as ErrorCode];
  const wanted = reply.isBegun ? 200 : known.status;
  if (status !== wanted) wrong.push(says(`status ${status} instead of ${wanted}`));
  if (known.retryable !== reply.retryable) wrong.push(says('it does not say whether to retry'));
  return wrong;
}
