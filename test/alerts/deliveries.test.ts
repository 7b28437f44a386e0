import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accountIn, withFields } from '../../packages/localnet/test/support/chain/test-world.ts';
import { sendMessage } from '../../src/alerts/delivery/send-message.ts';
import { alertRegistry } from '../../src/app/alerts.ts';
import { loadConfig } from '../../src/config/config.ts';
import {
  ALERT_ENV,
  type AlertWorld,
  isAllDelivered,
  startAlertWorld,
} from '../support/alerts/alert-world.ts';
import { acceptAll, TestReceiver } from '../support/alerts/test-receiver.ts';
import { postgres } from '../support/databases/test-databases.ts';

const TEST = 'mutation ($id: ID!) { testAlert(id: $id) { id sequence status } }';
const RETRY = 'mutation ($id: ID!) { retryDelivery(id: $id) { status attempts } }';
const UPDATE = 'mutation ($input: UpdateAlertInput!) { updateAlert(input: $input) { url paused state } }';

describe.each(postgres())('Deliveries in $name', (kind) => {
  let world: AlertWorld;
  let receiver: TestReceiver;

  beforeAll(async () => {
    receiver = await TestReceiver.start();
    world = await startAlertWorld(kind);
  });
  afterAll(async () => {
    await world?.stop();
    await receiver?.stop();
  });

  /** An alert that does not fire by itself. */
  const quiet = (url: string) =>
    world.create({
      url,
      metric: 'RESERVE_UTILIZATION',
      subject: world.localChain.addresses.reserve,
      above: '1000',
    });
  const test = (id: string) => world.ask(TEST, { id });

  it('are repeated after errors, in order, with the same id and a new signature', async () => {
    const answers = [500, 503, 404, 204];
    receiver.answer = (_received, response) => void response.writeHead(answers.shift() ?? 204).end();
    const { id } = await quiet(receiver.url('/errors'));
    await test(id);
    await test(id);
    await receiver.until('/errors', 5);
    const { deliveries } = await world.alert(id, isAllDelivered);
    expect(deliveries).toMatchObject([
      { sequence: 2, status: 'DELIVERED', attempts: 1, lastError: null },
      { sequence: 1, status: 'DELIVERED', attempts: 4, lastError: null },
    ]);
    expect(receiver.at('/errors').map(({ message }) => message.sequence)).toEqual([1, 1, 1, 1, 2]);
    expect(new Set(receiver.at('/errors').map(({ message }) => message.id)).size).toBe(2);
    receiver.answer = acceptAll;
  });

  it('of tests are limited for each alert', async () => {
    const { id } = await quiet(receiver.url('/tests'));
    for (let i = 0; i < 5; i += 1) expect((await test(id)).errors).toEqual([]);
    const [refused] = (await test(id)).errors;
    expect(refused?.extensions).toMatchObject({ code: 'TOO_MANY_TESTS', retryable: true, ceiling: 5 });
    expect(refused?.message).toMatch(/Try again in (?:[1-9]|[1-5]\d|60) s\.$/);
    // A minute later, by the clock of the database.
    await world.db.run(
      `UPDATE alert_delivery SET created_at = created_at - interval '1 minute' WHERE alert_id = $1`,
      [id],
    );
    expect((await test(id)).errors).toEqual([]);
    await world.alert(id, isAllDelivered);
  });

  it('of tests are limited for all alerts of a key together', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 8; i += 1) ids.push((await quiet(receiver.url('/many-tests'))).id);
    await world.db.run(`UPDATE alert_delivery SET created_at = created_at - interval '1 minute'`);
    // At the same time, of different alerts: each counts those before it.
    const tests = await Promise.all([...ids, ...ids, ...ids, ...ids].map(test));
    const codes = tests.map(({ errors }) => errors[0]?.extensions?.code ?? null);
    expect(codes.filter((code) => code === null)).toHaveLength(30);
    expect(codes.filter((code) => code === 'TOO_MANY_TESTS')).toHaveLength(2);
    await world.db.run(`UPDATE alert_delivery SET created_at = created_at - interval '1 minute'`);
  });

  it('to a receiver that hangs delay nobody else', async () => {
    const hanging = await TestReceiver.start();
    hanging.answer = () => undefined;
    try {
      const quick = await quiet(receiver.url('/quick'));
      const hung = await quiet(hanging.url('/0'));
      const others: string[] = [];
      for (let i = 1; i < 10; i += 1) others.push((await quiet(hanging.url(`/${i}`))).id);
      await test(hung.id);
      await hanging.until('/0', 1);
      await Promise.all([...others, quick.id].map(test));
      await receiver.until('/quick', 1);
      // Four at a time to one host: none of the ten has been answered.
      expect(hanging.received.length).toBeLessThanOrEqual(4);
      const failed = (await world.list()).find(({ deliveries }) => deliveries[0]?.lastError);
      expect(failed).toBeUndefined();
      const first = await world.alert(hung.id, ({ deliveries }) => deliveries[0]?.attempts === 1);
      expect(first.deliveries[0]?.lastError).toBe('no answer within 10000 ms');
    } finally {
      await world.db.run('DELETE FROM alert_delivery WHERE status = $1', ['PENDING']);
      await hanging.stop();
    }
  });

  it('follow no redirect, and go to the new URL once the owner has set it', async () => {
    const moved = await TestReceiver.start();
    receiver.answer = ({ path }, response) =>
      void response.writeHead(path === '/old' ? 308 : 204, { location: moved.url('/new') }).end();
    try {
      const { id } = await quiet(receiver.url('/old'));
      await test(id);
      const { deliveries } = await world.alert(id, (alert) => (alert.deliveries[0]?.attempts ?? 0) > 0);
      expect(deliveries[0]?.lastError).toContain('HTTP 308: redirects are not followed');
      expect(moved.received).toEqual([]);
      await world.ask(UPDATE, { input: { id, url: moved.url('/new') } });
      const [arrived] = await moved.until('/new', 1);
      expect(arrived?.message.event).toBe('TEST');
      await world.alert(id, isAllDelivered);
    } finally {
      await moved.stop();
      receiver.answer = acceptAll;
    }
  });

  it('that fail for too long are dead letters, which their owner can send again', async () => {
    receiver.answer = (_received, response) => void response.writeHead(500).end();
    const { id } = await quiet(receiver.url('/dead'));
    await test(id);
    await receiver.until('/dead', 1);
    await world.db.run('UPDATE alert_delivery SET expires_at = now(), next_at = now() WHERE alert_id = $1', [
      id,
    ]);
    const { deliveries } = await world.alert(id, (alert) => alert.deliveries[0]?.status === 'DEAD');
    expect(deliveries[0]?.lastError).toBe('HTTP 500');
    const sent = receiver.at('/dead').length;
    receiver.answer = acceptAll;
    const foreign = await world.ask(RETRY, { id: deliveries[0]?.id }, world.stranger);
    expect(foreign.errors[0]?.extensions?.code).toBe('DELIVERY_NOT_FOUND');
    expect((await world.ask(RETRY, { id: deliveries[0]?.id })).data).toMatchObject({
      retryDelivery: { status: 'PENDING', attempts: 0 },
    });
    await receiver.until('/dead', sent + 1);
    await world.alert(id, isAllDelivered);
  });

  it('of a paused alert are none, and a crossing meanwhile is sent afterwards', async () => {
    const { id } = await world.create({
      url: receiver.url('/paused'),
      metric: 'RESERVE_UTILIZATION',
      subject: world.localChain.addresses.reserve,
      above: '1000',
    });
    await world.alert(id, ({ state }) => state === 'CLEAR');
    await world.ask(UPDATE, { input: { id, paused: true } });
    await world.ask(UPDATE, { input: { id, above: '0' } });
    const { id: other } = await quiet(receiver.url('/other'));
    await world.alert(other, ({ state }) => state === 'CLEAR');
    expect(receiver.at('/paused')).toEqual([]);
    await world.ask(UPDATE, { input: { id, paused: false } });
    expect((await receiver.until('/paused', 1))[0]?.message.event).toBe('FIRED');
  });

  it('within the minimum interval wait until it is over', async () => {
    const { obligation } = world.localChain.addresses;
    const { id } = await world.create({
      url: receiver.url('/interval'),
      metric: 'OBLIGATION_HEALTH',
      subject: obligation,
      below: '1000000',
      minIntervalSeconds: 3_600,
    });
    await receiver.until('/interval', 1);
    // The debt is gone, so the alert clears.
    world.localChain.localChain.place(obligation, null);
    world.localChain.localChain.advance();
    const { id: other } = await world.create({
      url: receiver.url('/at-once'),
      metric: 'RESERVE_UTILIZATION',
      subject: world.localChain.addresses.reserve,
      above: '0',
    });
    await world.alert(other, ({ state }) => state === 'FIRING');
    expect((await world.alert(id, () => true)).state).toBe('FIRING');
    await world.db.run(`UPDATE alert SET crossed_at = crossed_at - interval '1 hour' WHERE id = $1`, [id]);
    expect((await receiver.until('/interval', 2))[1]?.message).toMatchObject({
      event: 'CLEARED',
      value: null,
    });
    world.localChain.localChain.restore();
    world.localChain.localChain.advance();
  });

  it('of a revoked key are not sent', async () => {
    const { data } = await world.ask<{ createAlert: { alert: { id: string } } }>(
      'mutation ($input: CreateAlertInput!) { createAlert(input: $input) { alert { id } } }',
      { input: { url: receiver.url('/revoked'), metric: 'DRIFT' } },
      world.stranger,
    );
    const { id } = data.createAlert.alert;
    await world.db.run(`UPDATE api_key SET revoked_at = now() WHERE name = 'stranger'`);
    await vi.waitUntil(async () => (await world.ask('{ __typename }', {}, world.stranger)).status === 401, {
      timeout: 60_000,
    });
    const config = loadConfig(ALERT_ENV);
    const registry = alertRegistry(config, config.ALERT_SECRET);
    await registry.ownedBy('OPERATOR', { database: () => world.db }).test(id);
    const { id: own } = await quiet(receiver.url('/not-revoked'));
    await test(own);
    await receiver.until('/not-revoked', 1);
    expect(receiver.at('/revoked')).toEqual([]);
  });

  it('tell a large withdrawal from a vault, and its end', async () => {
    const { vault } = world.localChain.addresses;
    const { id } = await world.create({
      url: receiver.url('/outflow'),
      metric: 'VAULT_OUTFLOW',
      subject: vault,
      above: '0.2',
    });
    await world.alert(id, ({ state }) => state === 'CLEAR');
    const account = accountIn(world.localChain.localChain, vault);
    const { sharesIssued } = vaultState.decode(account, MAINNET_PROGRAMS.kvault);
    // A quarter of the shares is gone.
    world.localChain.localChain.place(
      vault,
      withFields(vaultState, account, { sharesIssued: sharesIssued - sharesIssued / 4n }),
    );
    world.localChain.localChain.advance();
    const [fired] = await receiver.until('/outflow', 1);
    expect(fired?.message.event).toBe('FIRED');
    expect(Number(fired?.message.value)).toBeCloseTo(0.25, 6);
    await world.db.run(`UPDATE alert SET marked_at = marked_at - interval '1 hour' WHERE id = $1`, [id]);
    // The leader reads its alerts again when an owner has changed one.
    await world.ask(UPDATE, { input: { id, label: 'measured anew' } });
    world.localChain.localChain.advance();
    expect((await receiver.until('/outflow', 2))[1]?.message).toMatchObject({ event: 'CLEARED', value: '0' });
  });

  it('to a name of a private address do not connect', async () => {
    const { port } = new URL(receiver.url());
    const before = receiver.received.length;
    const message = { url: `https://hooks.example:8443/`, headers: {}, body: '{}' };
    const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }];
    const options = { resolve, timeoutMs: 10_000, signal: new AbortController().signal };
    const refused = await sendMessage(message, { ...options, rules: { allowPrivate: false } });
    expect(refused).toBe('not sent (ADDRESS_REFUSED)');
    const literal = { ...message, url: receiver.url() };
    expect(await sendMessage(literal, { ...options, rules: { allowPrivate: false } })).toContain('refused');
    // The same name where private receivers are allowed: the address is that of the lookup.
    const named = { ...message, url: `http://hooks.example:${port}/` };
    expect(await sendMessage(named, { ...options, rules: { allowPrivate: true } })).toBeNull();
    expect(receiver.received.length).toBe(before + 1);
  });
});
