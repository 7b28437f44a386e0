import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALERTS } from '../../src/cli/alerts/arguments.ts';
import { runAlerts } from '../../src/cli/alerts/run.ts';
import { loadConfig } from '../../src/config/config.ts';
import { readKeys } from '../../src/store/keys/key-table.ts';
import { ALERT_ENV, type AlertWorld, startAlertWorld } from '../support/alerts/alert-world.ts';
import { TestReceiver } from '../support/alerts/test-receiver.ts';
import { postgres } from '../support/databases/test-databases.ts';

const CREATE = `mutation ($input: CreateAlertInput!) { createAlert(input: $input) { secret alert { id } } }`;
const URL = 'https://hooks.example/';

describe.each(postgres())('The registration of alerts in $name', (kind) => {
  let world: AlertWorld;
  let receiver: TestReceiver;

  beforeAll(async () => {
    receiver = await TestReceiver.start();
    world = await startAlertWorld(kind, { ALERT_PRIVATE_RECEIVERS: 'off', VIEW_REFRESH_MS: '2000' });
  });
  afterAll(async () => {
    await world?.stop();
    await receiver?.stop();
  });

  const utilization = () => ({
    url: URL,
    metric: 'RESERVE_UTILIZATION',
    subject: world.localChain.addresses.reserve,
    above: '1000',
  });
  const codeOf = async (
    input: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>> = world.owner,
  ) => (await world.ask(CREATE, { input }, headers)).errors[0]?.extensions?.code;

  it('needs a key', async () => {
    expect(await codeOf(utilization(), {})).toBe('UNAUTHENTICATED');
    expect((await world.ask('{ alerts { id } }', {}, {})).errors[0]?.extensions?.code).toBe(
      'UNAUTHENTICATED',
    );
  });

  it('refuses what makes no sense with a code', async () => {
    const { reserve, emptyWallet } = world.localChain.addresses;
    const input = utilization();
    expect(await codeOf({ ...input, above: null })).toBe('ALERT_INVALID');
    expect(await codeOf({ ...input, clearAt: '2000' })).toBe('ALERT_INVALID');
    expect(await codeOf({ ...input, minIntervalSeconds: -1 })).toBe('ALERT_INVALID');
    expect(await codeOf({ ...input, label: 'x'.repeat(101) })).toBe('ALERT_INVALID');
    expect(await codeOf({ ...input, subject: emptyWallet })).toBe('KLEND_RESERVE_NOT_FOUND');
    expect(await codeOf({ ...input, metric: 'VAULT_APY', subject: reserve })).toBe('KVAULT_NOT_FOUND');
    expect(await codeOf({ ...input, metric: 'OBLIGATION_LTV', subject: reserve })).toBe(
      'KLEND_OBLIGATION_NOT_FOUND',
    );
    for (const url of [
      receiver.url(),
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://a.example:22/',
      'nonsense',
    ])
      expect(await codeOf({ ...input, url })).toBe('ALERT_URL_REFUSED');
    expect(await world.list()).toEqual([]);
  });

  it('belongs to its key: others neither see nor change it', async () => {
    const { id } = await world.create(utilization());
    const asStranger = async (query: string, variables: Readonly<Record<string, unknown>> = {}) => {
      const { data, errors } = await world.ask<Record<string, unknown> | null>(
        query,
        variables,
        world.stranger,
      );
      return errors[0]?.extensions?.code ?? data;
    };
    // The same request of two callers at the same time is answered to each.
    const both = await Promise.all([world.ask('{ alerts { id } }'), asStranger('{ alerts { id } }')]);
    expect(
      both.map((each) => ('data' in (each as object) ? (each as { data: unknown }).data : each)),
    ).toEqual([{ alerts: [{ id }] }, { alerts: [] }]);
    const ofId = { id };
    expect(await asStranger('mutation ($id: ID!) { deleteAlert(id: $id) }', ofId)).toBe('ALERT_NOT_FOUND');
    expect(await asStranger('mutation ($id: ID!) { testAlert(id: $id) { id } }', ofId)).toBe(
      'ALERT_NOT_FOUND',
    );
    expect(
      await asStranger('mutation ($id: ID!) { updateAlert(input: { id: $id, paused: true }) { id } }', ofId),
    ).toBe('ALERT_NOT_FOUND');
    expect((await world.ask('mutation ($id: ID!) { deleteAlert(id: $id) }', ofId)).data).toEqual({
      deleteAlert: id,
    });
    expect(await world.list()).toEqual([]);
  });

  it('ends at the limit of the key, however many are asked for at once', async () => {
    const codes: (string | undefined)[] = [];
    for (let round = 0; round < 3; round += 1)
      codes.push(...(await Promise.all(Array.from({ length: 40 }, () => codeOf(utilization())))));
    expect(codes.filter((code) => code === undefined).length).toBe(100);
    expect(codes.filter((code) => code === 'TOO_MANY_ALERTS').length).toBe(20);
    expect(await codeOf(utilization(), world.stranger)).toBeUndefined();
    expect((await world.list()).length).toBe(100);
    await world.db.run('DELETE FROM alert');
  });

  it('works from the command line for the owner of a key', async () => {
    const config = loadConfig({ ...ALERT_ENV, DATABASE_URL: world.databaseUrl });
    const lines: string[] = [];
    const run = async (...args: string[]) => {
      const command = ALERTS.read(args);
      if (command === null) throw new Error(`not understood: ${args.join(' ')}`);
      lines.length = 0;
      await runAlerts(config, command, (line) => lines.push(line));
      return lines.join('\n');
    };
    const [key] = await readKeys(world.db);
    const { reserve } = world.localChain.addresses;
    const created = await run(
      ...['create', '--key', key?.id ?? '', '--url', URL, '--metric', 'RESERVE_UTILIZATION'],
      ...['--subject', reserve, '--above', '1000', '--label', 'by hand'],
    );
    expect(created).toMatch(/^whsec_[\w-]{43}\n/);
    const [{ id } = { id: '' }] = await world.list();
    expect(await run('list')).toContain(`${id} "by hand" of key ${key?.id}: RESERVE_UTILIZATION ${reserve}`);
    expect(await run('pause', id)).toContain('paused');
    expect(await run('resume', id)).not.toContain('paused');
    expect(await run('test', id)).toContain('TEST');
    expect(await run('deliveries', id)).toMatch(/1 TEST .*: PENDING|not sent/);
    expect(await run('delete', id)).toBe(`Deleted ${id}.`);
    expect(await run('list')).toBe('There are no alerts.');
    await expect(run('delete', id)).rejects.toMatchObject({ code: 'ALERT_NOT_FOUND' });
    await expect(
      run(...['create', '--key', 'nobody', '--url', URL, '--metric', 'DRIFT']),
    ).rejects.toMatchObject({ code: 'ALERT_INVALID' });
    for (const wrong of [['create'], ['list', 'more'], ['delete'], ['create', '--nonsense'], ['other']])
      expect(ALERTS.read(wrong)).toBeNull();
  });
});

describe.each(postgres())('A gateway on $name without a secret', (kind) => {
  it('has no alerts, and says so', async () => {
    const world = await startAlertWorld(kind, { ALERT_SECRET: '' });
    try {
      const { errors } = await world.ask('{ alerts { id } }');
      expect(errors[0]?.extensions?.code).toBe('ALERTS_DISABLED');
    } finally {
      await world.stop();
    }
  });
});
