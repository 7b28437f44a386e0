import { describe, expect, it } from 'vitest';
import { HistoryStatus } from '../../src/app/history/history-status.ts';
import { SluiceError } from '../../src/errors/sluice-error.ts';
import { SILENT } from '../../src/telemetry/logger.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';

const statusOf = (isGenerated: boolean) => new HistoryStatus(SILENT, new Metrics(), isGenerated);
const shown = ({ status, percent, reason }: HistoryStatus) => ({ status, percent, reason });
const errorOf = (status: HistoryStatus) => {
  const { code, message } = status.error();
  return { code, message };
};

describe('the status of history', () => {
  it('on the localnet counts from 0 percent while the past is generated', () => {
    const status = statusOf(true);
    expect(shown(status)).toEqual({ status: 'starting', percent: 0, reason: 'opening the database' });
    status.startGenerating();
    expect(shown(status)).toMatchObject({ status: 'starting', percent: 0 });
    status.setGenerated(120, 2556);
    expect(shown(status)).toEqual({
      status: 'starting',
      percent: 4,
      reason: 'generating the past of the localnet: 120 of 2556 snapshots',
    });
    expect(errorOf(status)).toEqual({
      code: 'HISTORY_STARTING',
      message:
        'History is starting: generating the past of the localnet: 120 of 2556 snapshots (4 % done). Try again in a few seconds.',
    });
    status.setGenerated(2556, 2556);
    expect(shown(status)).toMatchObject({ status: 'starting', percent: 99 });
    status.setReady();
    expect(shown(status)).toEqual({ status: 'ready', percent: null, reason: null });
  });

  it('on another chain has no percentage', () => {
    const status = statusOf(false);
    expect(shown(status)).toEqual({ status: 'starting', percent: null, reason: 'opening the database' });
    expect(errorOf(status)).toEqual({
      code: 'HISTORY_STARTING',
      message: 'History is starting: opening the database. Try again in a few seconds.',
    });
  });

  it('is unavailable after a failure, and starts over from 0 percent', () => {
    const status = statusOf(true);
    status.startGenerating();
    status.setGenerated(1_278, 2556);
    expect(status.percent).toBe(50);
    status.setFailure('opening history', new SluiceError('HISTORY_UNAVAILABLE', { reason: 'crashed' }));
    expect(shown(status)).toEqual({ status: 'unavailable', percent: null, reason: 'crashed' });
    expect(errorOf(status).code).toBe('HISTORY_UNAVAILABLE');
    status.startGenerating();
    expect(shown(status)).toMatchObject({ status: 'starting', percent: 0 });
  });
});
