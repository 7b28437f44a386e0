import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { type AnsweredRequest, requestLine } from '../../src/http/request-line.ts';
import type { RequestTrace } from '../../src/telemetry/request-trace.ts';

/** The line that the logging library writes of the same fields at that time. */
function byLibrary(level: 'info' | 'debug', nowMs: number, answered: AnsweredRequest, trace: RequestTrace) {
  const lines: string[] = [];
  const logger = pino(
    {
      level: 'debug',
      base: null,
      timestamp: () => `,"time":"${new Date(nowMs).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => void lines.push(line) },
  );
  const { id, operation, outcome, cost, view, codes } = trace;
  const { method, path, status, durationMs } = answered;
  const rounded = Math.round(durationMs * 10) / 10;
  logger[level](
    {
      id,
      method,
      path,
      status,
      durationMs: rounded,
      ...(outcome === null ? {} : { operation, outcome, cost, view }),
      ...(codes.length === 0 ? {} : { codes: [...new Set(codes)] }),
    },
    'request',
  );
  return lines.join('');
}

const trace = fc.record({
  id: fc.string({ unit: 'binary' }),
  route: fc.string(),
  operation: fc.option(fc.string({ unit: 'binary' })),
  outcome: fc.option(fc.constantFrom('ok', 'partial', 'refused', 'failed')),
  cost: fc.option(fc.nat()),
  view: fc.option(fc.nat()),
  codes: fc.array(fc.constantFrom('INTERNAL', 'RATE_LIMITED', 'a "code"\n')),
});
const answered = fc.record({
  method: fc.oneof(fc.constant('POST'), fc.string()),
  path: fc.string({ unit: 'binary' }),
  status: fc.integer({ min: 100, max: 599 }),
  durationMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
});

describe('the line of a request', () => {
  it('is the one that the logging library writes of the same fields, whatever is in them', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('info', 'debug'),
        fc.integer({ min: 0, max: 4e12 }),
        answered,
        trace,
        (level, nowMs, request, of) => {
          expect(requestLine(level, nowMs, request, of)).toBe(byLibrary(level, nowMs, request, of));
        },
      ),
    );
  });

  it('has the time of each line, when several are of one second and when the clock goes back', () => {
    const request = { method: 'GET', path: '/', status: 200, durationMs: 1 };
    const of = { id: 'a', route: '/', operation: null, outcome: null, cost: null, view: null, codes: [] };
    const times = [1_000, 1_001, 1_999, 2_000, 1_005, 1_763_200_000_042];
    expect(times.map((ms) => JSON.parse(requestLine('info', ms, request, of)).time)).toEqual(
      times.map((ms) => new Date(ms).toISOString()),
    );
  });
});
