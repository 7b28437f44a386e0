import { describe, expect, it } from 'vitest';
import { type AnsweredRequest, RequestLog } from '../../src/http/request-log.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { type RequestTrace, traceOf } from '../../src/telemetry/request-trace.ts';

const ANSWERED: AnsweredRequest = { method: 'GET', target: '/kvaults/vaults', status: 200, durationMs: 1.26 };

function logged(level: string, answered: Partial<AnsweredRequest>, trace: Partial<RequestTrace>) {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger(level, { write: (line) => lines.push(JSON.parse(line)) });
  new RequestLog(logger).write(
    { ...ANSWERED, ...answered },
    { ...traceOf(new Headers()), id: 'id-1', ...trace },
  );
  return lines;
}

describe('the request log', () => {
  it('writes one line with the path, status and rounded duration', () => {
    expect(logged('info', {}, {})).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        id: 'id-1',
        method: 'GET',
        path: '/kvaults/vaults',
        status: 200,
        durationMs: 1.3,
        msg: 'request',
      },
    ]);
  });

  it('leaves the query string out and cuts a long path', () => {
    const [line] = logged('info', { target: `/graphql?query=${'x'.repeat(500)}` }, {});
    expect(line?.path).toBe('/graphql');
    const [long] = logged('info', { target: `/${'x'.repeat(500)}` }, {});
    expect(long?.path).toHaveLength(200);
  });

  it('names the operation, outcome, cost and View of a GraphQL request, and each error code once', () => {
    const [line] = logged(
      'info',
      {},
      {
        operation: 'Vaults',
        outcome: 'partial',
        cost: 12,
        view: '3f9c2a71-7',
        codes: ['ACCOUNT_NOT_FOUND', 'ACCOUNT_NOT_FOUND', 'INTERNAL'],
      },
    );
    expect(line).toMatchObject({
      operation: 'Vaults',
      outcome: 'partial',
      cost: 12,
      view: '3f9c2a71-7',
      codes: ['ACCOUNT_NOT_FOUND', 'INTERNAL'],
    });
  });

  it.each(['/health', '/ready', '/metrics'])('logs %s at debug only', (route) => {
    expect(logged('info', {}, { route })).toEqual([]);
    expect(logged('debug', {}, { route })).toMatchObject([{ level: 'debug' }]);
  });
});
