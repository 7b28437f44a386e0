import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlertRow } from '../../src/store/alerts/alert-rows.ts';
import { changeAlerts, findAlert, insertAlert, updateAlert } from '../../src/store/alerts/alert-table.ts';
import { type Crossing, type Note, writeEvaluation } from '../../src/store/alerts/crossings.ts';
import { dueDeliveries, removeOldDeliveries, writeAttempt } from '../../src/store/alerts/deliveries.ts';
import { DatabaseLease } from '../../src/store/leases/leadership.ts';
import { databases } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';

const SPEC = {
  label: '',
  url: 'https://hooks.example/',
  host: 'hooks.example',
  metric: 'DRIFT',
  subject: null,
  direction: 'ABOVE',
  threshold: '1',
  clearAt: '1',
  minIntervalSeconds: 0,
  paused: false,
} as const;
const NOTHING = { alerts: [], hosts: [], keys: [] };

describe.each(databases())('The alerts of $name', (kind) => {
  let history: HistoryDatabase;
  let fence: bigint;
  let lease: DatabaseLease;

  beforeAll(async () => {
    history = await openHistory(kind);
    lease = new DatabaseLease({ db: history.db, holder: 'first', lease: 'alerts', leaseMs: 600_000 });
    fence = (await lease.tryLead()) ?? expect.fail('nobody leads');
  });
  afterAll(async () => {
    await lease?.resign();
    await history?.drop();
  });

  const create = (spec: Partial<typeof SPEC> | object = {}) =>
    changeAlerts(history.db, (sql) =>
      insertAlert(sql, randomUUID(), 'a key', { ...SPEC, host: randomUUID(), ...spec }),
    );
  const write = (
    slot: bigint,
    crossings: readonly Crossing[],
    { notes = [], by = fence }: { notes?: readonly Note[]; by?: bigint } = {},
  ) =>
    writeEvaluation(history.db, by, { slot, crossings, notes }, (_crossing, sequence) => ({
      id: randomUUID(),
      body: String(sequence),
      retrySeconds: 60,
    }));
  const fired = (alert: AlertRow): Crossing => ({ alert, event: 'FIRED', value: '1' });
  const cleared = (alert: AlertRow): Crossing => ({ alert, event: 'CLEARED', value: '0' });
  const due = async ({ host }: AlertRow) =>
    (await dueDeliveries(history.db, 100, NOTHING)).filter((each) => each.host === host);
  const stateOf = async ({ id }: AlertRow) => (await findAlert(history.db, id))?.state;

  it('have a leader of their own, beside the recorder', async () => {
    const recorder = new DatabaseLease({ db: history.db, holder: 'recorder', leaseMs: 600_000 });
    expect(await recorder.tryLead()).not.toBeNull();
    expect(await lease.tryLead()).toBe(fence);
    await recorder.resign();
    const second = new DatabaseLease({ db: history.db, holder: 'second', lease: 'alerts', leaseMs: 600_000 });
    expect(await second.tryLead()).toBeNull();
  });

  it('cross once, with one message, in the order of their numbers', async () => {
    const alert = await create();
    expect([...(await write(10n, [fired(alert)]))]).toEqual([alert.id]);
    expect([...(await write(11n, [fired(alert)]))]).toEqual([]);
    expect([...(await write(12n, [cleared(alert)]))]).toEqual([alert.id]);
    const [first, ...rest] = await due(alert);
    expect(rest).toEqual([]);
    expect(first?.body).toBe('1');
    if (first === undefined) throw new Error('nothing is due');
    expect(await writeAttempt(history.db, fence, first, { error: null, delayMs: 0 })).toBe('DELIVERED');
    expect((await due(alert)).map(({ body }) => body)).toEqual(['2']);
  });

  it('do not take a crossing of an older slot, so a new leader that lags undoes nothing', async () => {
    const alert = await create();
    await write(100n, [fired(alert)]);
    expect((await write(99n, [cleared(alert)])).size).toBe(0);
    expect((await write(100n, [cleared(alert)])).size).toBe(0);
    expect(await stateOf(alert)).toBe('FIRING');
    await history.db.run(`UPDATE alert SET crossed_at = now() - interval '61 seconds' WHERE id = $1`, [
      alert.id,
    ]);
    expect((await write(5n, [cleared(alert)])).size).toBe(1);
  });

  it('do not take a crossing within the minimum interval, or of a condition that its owner has changed', async () => {
    const patient = await create({ minIntervalSeconds: 3_600 });
    await write(10n, [fired(patient)]);
    expect((await write(11n, [cleared(patient)])).size).toBe(0);
    const changed = await create();
    await changeAlerts(history.db, (sql) => updateAlert(sql, changed.id, { ...SPEC, threshold: '2' }, true));
    expect((await write(10n, [fired(changed)])).size).toBe(0);
    expect(await stateOf(changed)).toBe('PENDING');
    const paused = await create({ paused: true });
    expect((await write(10n, [fired(paused)])).size).toBe(0);
  });

  it('are settled and marked unknown without a message', async () => {
    const alert = await create();
    const mark = { shares: '12.5', at: new Date('2026-01-01T00:00:00.000Z') };
    await write(10n, [], { notes: [{ alert, isClear: true, isUnknown: false, mark }] });
    expect(await findAlert(history.db, alert.id)).toMatchObject({ state: 'CLEAR', unknownSince: null, mark });
    await write(11n, [], { notes: [{ alert, isClear: false, isUnknown: true, mark: null }] });
    const unknown = await findAlert(history.db, alert.id);
    expect(unknown).toMatchObject({ state: 'CLEAR', unknownSince: expect.any(Date), mark: null });
    expect(await due(alert)).toEqual([]);
  });

  it('that failed for too long are dead, and old messages are deleted', async () => {
    const alert = await create();
    await write(10n, [fired(alert)]);
    const [first] = await due(alert);
    if (first === undefined) throw new Error('nothing is due');
    expect(await writeAttempt(history.db, fence, first, { error: 'HTTP 500', delayMs: 3_600_000 })).toBe(
      'PENDING',
    );
    expect(await due(alert)).toEqual([]);
    await history.db.run('UPDATE alert_delivery SET expires_at = now() WHERE alert_id = $1', [alert.id]);
    expect(await writeAttempt(history.db, fence, first, { error: 'HTTP 500', delayMs: 1 })).toBe('DEAD');
    await history.db.run(
      `UPDATE alert_delivery SET ended_at = now() - interval '15 days' WHERE alert_id = $1`,
      [alert.id],
    );
    expect(await removeOldDeliveries(history.db, fence, 14)).toBe(1);
  });

  it('leave out busy alerts, hosts and keys', async () => {
    const alert = await create();
    await write(10n, [fired(alert)]);
    for (const excluded of [{ alerts: [alert.id] }, { hosts: [alert.host] }, { keys: ['a key'] }]) {
      const found = await dueDeliveries(history.db, 100, { ...NOTHING, ...excluded });
      expect(found.filter(({ alertId }) => alertId === alert.id)).toEqual([]);
    }
  });

  it('refuse a former leader, whose crossing and message are not written', async () => {
    const alert = await create();
    const next = new DatabaseLease({ db: history.db, holder: 'next', lease: 'alerts', soleProcess: true });
    const newer = (await next.tryLead()) ?? expect.fail('nobody leads');
    await expect(write(10n, [fired(alert)])).rejects.toMatchObject({ code: 'NOT_LEADER' });
    expect(await stateOf(alert)).toBe('PENDING');
    expect(await due(alert)).toEqual([]);
    expect((await write(10n, [fired(alert)], { by: newer })).size).toBe(1);
  });
});
