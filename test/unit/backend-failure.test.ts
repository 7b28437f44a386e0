import { describe, expect, it } from 'vitest';
import { backendFailure } from '../../src/store/embedded/backend-failure.ts';

/** A message of the wire protocol: type, length that counts itself, body. */
function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(body) + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}

const error = (severity: string, state: string) =>
  message('E', `S${severity}\0V${severity}\0C${state}\0Mcould not\0Fxlog.c\0\0`);
const READY = message('Z', 'I');

describe('a reply of the embedded database', () => {
  it.each([
    ['a log that cannot be written', [error('PANIC', '53100')], '53100'],
    ['a table that cannot grow', [error('ERROR', '53100'), READY], '53100'],
    ['a file that cannot be read', [error('ERROR', '58030'), READY], '58030'],
    ['a session that was ended', [error('FATAL', '57P01')], '57P01'],
    ['a failure after rows', [message('T', 'row'), message('D', 'SPANIC'), error('PANIC', 'XX000')], 'XX000'],
  ])('with %s ends it', (_, messages, state) => {
    expect(backendFailure(Buffer.concat(messages))).toBe(state);
  });

  it.each([
    ['rows', [message('T', 'row'), message('D', 'E\0\0PANIC\0C53100\0'), message('C', 'SELECT 1\0'), READY]],
    ['a faulty statement', [error('ERROR', '42601'), READY]],
    ['a notice', [message('N', 'SWARNING\0VWARNING\0C53100\0M\0\0'), READY]],
    ['nothing', []],
  ])('with %s does not', (_, messages) => {
    expect(backendFailure(Buffer.concat(messages))).toBeNull();
  });
});
