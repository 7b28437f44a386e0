import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../src/errors/sluice-error.ts';
import { createLogger, failureLog, withoutUrls } from '../../src/telemetry/logger.ts';

function capture(level = 'info') {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger(level, { write: (line) => lines.push(JSON.parse(line)) });
  return { logger, lines };
}

describe('the logger', () => {
  it('writes JSON lines with a readable time and level', () => {
    const { logger, lines } = capture();
    logger.info({ id: 'a' }, 'hello');
    expect(lines).toEqual([
      { level: 'info', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), id: 'a', msg: 'hello' },
    ]);
  });

  it('drops messages below its level', () => {
    const { logger, lines } = capture('warn');
    logger.info('not this');
    logger.warn('this');
    expect(lines.map(({ msg }) => msg)).toEqual(['this']);
  });

  it.each(['authorization', 'x-api-key', 'cookie', 'set-cookie', 'password', 'apiKey'])(
    'hides %s',
    (name) => {
      const { logger, lines } = capture();
      logger.info({ [name]: 'secret' });
      logger.info({ headers: { [name]: 'secret', accept: 'shown' } });
      logger.info({ request: { headers: { [name]: 'secret' } } });
      expect(JSON.stringify(lines)).not.toContain('secret');
      expect(lines[1]).toMatchObject({ headers: { [name]: '[hidden]', accept: 'shown' } });
    },
  );

  it('logs a failure with its causes and without URLs', () => {
    const { logger, lines } = capture();
    const cause = new TypeError('fetch failed: https://user:secret@rpc.example/v1/secret?api-key=secret');
    logger.error({ err: new Error('cannot reach wss://rpc.example/secret', { cause }) }, 'failed');
    expect(lines[0]).toMatchObject({
      err: {
        name: 'Error',
        message: 'cannot reach [hidden]',
        stack: expect.stringContaining('logger.test.ts'),
        cause: { name: 'TypeError', message: 'fetch failed: [hidden]' },
      },
    });
    expect(JSON.stringify(lines)).not.toMatch(/secret|rpc\.example/);
  });

  it('logs the code of a coded error', () => {
    const { logger, lines } = capture();
    logger.warn({ err: new SluiceError('RPC_UNAVAILABLE', { method: 'getSlot', attempts: 3 }) });
    expect(lines[0]).toMatchObject({ err: { code: 'RPC_UNAVAILABLE' } });
  });
});

describe('URLs in a text', () => {
  it.each([
    ['at file:///app/src/main.ts:3:1', 'at file:///app/src/main.ts:3:1'],
    ['postgres://u:p@h/db refused', '[hidden] refused'],
    ['"https://a.example/key"', '"[hidden]"'],
    ['nothing here', 'nothing here'],
  ])('%s', (text, shown) => {
    expect(withoutUrls(text)).toBe(shown);
  });
});

describe('a run of failures', () => {
  it('is logged at once, then once per interval with a count', () => {
    const { logger, lines } = capture();
    let nowMs = 0;
    const log = failureLog(logger, 'it failed', 1000, () => nowMs);
    for (const at of [0, 1, 500, 999, 1000, 1001, 5000]) {
      nowMs = at;
      log(new Error(`at ${at}`));
    }
    expect(lines.map(({ msg, unsaid, err }) => [msg, unsaid, (err as Error).message])).toEqual([
      ['it failed', undefined, 'at 0'],
      ['it failed', 3, 'at 1000'],
      ['it failed', 1, 'at 5000'],
    ]);
  });
});
