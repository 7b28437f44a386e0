import fc from 'fast-check';
import { expect, it } from 'vitest';
import { retryAfterOf } from '../src/retry-after.ts';
import { ServerEventParser } from '../src/server-events.ts';

const STREAM =
  ':\n\nevent: next\nid: 1\ndata: {"name":"Zürich 🏔"}\n\n: comment\n\n' +
  'event:next\ndata: {"a":1,\ndata: "b":2}\n\nid: 7\nretry: 100\n\nevent: complete\ndata\n\nevent: next\ndata: cut';
const EVENTS = [
  { event: 'next', data: '{"name":"Zürich 🏔"}' },
  { event: 'next', data: '{"a":1,\n"b":2}' },
  { event: 'complete', data: '' },
];

it.each([
  ['\n', STREAM],
  ['\r\n', STREAM.replaceAll('\n', '\r\n')],
])('reads the same events with lines that end in %j, wherever a chunk ends', (_, text) => {
  const bytes = new TextEncoder().encode(text);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 20 }), (cuts) => {
      const parser = new ServerEventParser();
      const ends = [...cuts, bytes.length].sort((a, b) => a - b);
      const events = ends.flatMap((end, index) => parser.push(bytes.subarray(ends[index - 1] ?? 0, end)));
      expect(events).toEqual(EVENTS);
    }),
  );
});

it.each([
  ['3', 3],
  [' 0 ', 0],
  ['Tue, 17 Nov 2026 08:00:30 GMT', 30],
  ['Tue, 17 Nov 2026 07:00:00 GMT', 0],
  ['soon', null],
  ['-5', null],
])('reads Retry-After: %s as %s seconds', (text, seconds) => {
  const headers = new Headers({ 'retry-after': text });
  expect(retryAfterOf(headers, Date.parse('2026-11-17T08:00:00Z'))).toBe(seconds);
});

it('has no seconds without the header', () => {
  expect(retryAfterOf(new Headers())).toBeNull();
});
