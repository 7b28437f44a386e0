import { type Localnet, startLocalnet } from '@sluice/localnet/localnet';
import { type LocalnetRpc, startRpcServer } from '@sluice/localnet/rpc/server';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { clusterFinding } from '../../src/cli/doctor/endpoints.ts';
import { examine } from '../../src/cli/doctor/examine.ts';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { type Report, toJson, toText } from '../../src/cli/doctor/report.ts';

const { klend, kvault } = MAINNET_PROGRAMS;
const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const LISTEN_MS = 50;

describe('doctor', () => {
  let localnet: Localnet;
  let second: LocalnetRpc;

  beforeAll(async () => {
    localnet = await startLocalnet({ scale: 1 });
    second = await startRpcServer(localnet.chain);
  });

  afterEach(() => {
    localnet.rpc.faults.clear();
    second.faults.clear();
  });

  afterAll(async () => {
    await second?.close();
    await localnet?.stop();
  });

  /** Every URL contains a key that must not be shown. */
  const withKey = ({ port }: { readonly port: number }) =>
    `http://operator:pass-word-1@127.0.0.1:${port}/key-98765`;
  async function examined(env: Record<string, string> = {}): Promise<Report> {
    const SOLANA_RPC_URLS = [localnet.rpc, second].map(withKey).join(',');
    const base = { SOLANA_RPC_URLS, SOLANA_CLUSTER: 'localnet', RPC_TIMEOUT_MS: '2000' };
    const report = await examine({ env: { ...base, ...env }, listenMs: LISTEN_MS, pauseMs: LISTEN_MS });
    const output = toText(report) + toJson(report);
    for (const secret of [
      'pass-word-1',
      'key-98765',
      '127.0.0.1',
      String(localnet.rpc.port),
      String(second.port),
    ]) {
      expect(output).not.toContain(secret);
    }
    return report;
  }
  const found = ({ findings }: Report, subject: string, check: string): Finding | undefined =>
    findings.find((finding) => finding.subject === subject && finding.check === check);
  const notOk = ({ findings }: Report) =>
    findings
      .filter(({ level }) => level !== 'ok')
      .map(({ level, subject, check }) => [level, subject, check]);
  const count = (program: typeof klend, { discriminator }: { readonly discriminator: Uint8Array }) =>
    [...localnet.chain.programAccounts(program)].filter(
      ([, { data }]) => Buffer.compare(data.subarray(0, 8), discriminator) === 0,
    ).length;

  it('reports no problems on a healthy setup, and counts the accounts', async () => {
    const report = await examined({ SOLANA_WS_URLS: localnet.rpc.wsUrl });
    expect(notOk(report)).toEqual([]);
    expect(report).toMatchObject({ faults: 0, warnings: 0 });
    expect(found(report, 'view', 'fills')?.figures).toMatchObject({
      market: count(klend, lendingMarket),
      reserve: count(klend, reserve),
      vault: count(kvault, vaultState),
      unusable: 0,
    });
    const { polledBytes, notifiedBytes, wholePolledBytes, wholeNotifiedBytes } =
      found(report, 'view', 'day at mainnet size')?.figures ?? {};
    expect(polledBytes).toBeLessThan(wholePolledBytes ?? 0);
    expect(notifiedBytes).toBeLessThan(wholeNotifiedBytes ?? 0);
    expect(found(report, 'rpc-2', 'methods')?.says).toBe('It allows all 13 methods that the gateway uses.');
    expect(found(report, 'websocket-1', 'notifications')?.says).toMatch(/^It accepts subscriptions/);
    expect(JSON.parse(toJson(report))).toEqual(report);
    expect(toText(report)).toMatch(/\n0 faults, 0 warnings\. The gateway can run with these settings\.\n$/);
  });

  it('sending is probed where it is enabled, and warned about when no endpoint allows it', async () => {
    expect(found(await examined(), 'settings', 'sending')?.says).toContain('does not send');
    const env = { SEND_TRANSACTIONS: 'on' };
    const report = await examined(env);
    expect(found(report, 'settings', 'sending')?.says).toContain('sends transactions');
    expect(found(report, 'rpc-1', 'methods')?.says).toBe('It allows all 15 methods that the gateway uses.');
    const paid = localnet.chain
      .transactionsOf(NO_ADDRESS)
      .filter(({ addresses: [payer] }) => payer === NO_ADDRESS);
    expect(paid).toEqual([]);
    for (const { faults } of [localnet.rpc, second]) {
      faults.add({ method: 'sendTransaction', rpcError: { code: -32_601, message: 'Method not found' } });
    }
    const refused = found(await examined(env), 'rpc-2', 'methods');
    expect(refused?.level).toBe('warning');
    expect(refused?.says).toContain('signed transactions cannot be sent');
  });

  it('a dead endpoint is a fault, and the other is still checked', async () => {
    const dead = await startRpcServer(localnet.chain);
    await dead.close();
    const report = await examined({ SOLANA_RPC_URLS: [withKey(dead), withKey(second)].join(',') });
    expect(notOk(report)).toEqual([['fault', 'rpc-1', 'answers']]);
    expect(found(report, 'rpc-1', 'answers')?.says).toBe(
      'It does not answer (ECONNREFUSED). Check the URL and its key in SOLANA_RPC_URLS, or remove it.',
    );
    expect(found(report, 'rpc-2', 'history')?.level).toBe('ok');
    expect(found(report, 'view', 'fills')?.level).toBe('ok');
  });

  it('a lagging endpoint is reported with its lag', async () => {
    second.faults.add({ slotOffset: -400 });
    const report = await examined();
    expect(notOk(report)).toEqual([['warning', 'rpc-2', 'slot']]);
    const lag = found(report, 'rpc-2', 'slot')?.figures?.lag ?? 0;
    // A few slots may pass between the two answers.
    expect(Math.abs(lag - 400)).toBeLessThan(20);
    expect(found(report, 'rpc-2', 'slot')?.says).toContain(`It is ${lag} slots behind the newest endpoint`);
  });

  it('a method that one endpoint forbids is sent to the other', async () => {
    second.faults.add({ method: 'getTransaction', status: 403 });
    second.faults.add({
      method: 'getProgramAccounts',
      rpcError: { code: -32601, message: 'Method not found' },
    });
    const report = await examined();
    const says = found(report, 'rpc-2', 'methods')?.says;
    expect(found(report, 'rpc-2', 'methods')?.level).toBe('warning');
    expect(says).toContain('getProgramAccounts (vaults) (error -32601, "Method not found")');
    expect(says).toContain('getTransaction (HTTP 403)');
    expect(says).toContain('The gateway sends these calls to the other endpoints.');
    expect(found(report, 'rpc-1', 'methods')?.level).toBe('ok');
    expect(found(report, 'view', 'fills')?.level).toBe('ok');
    expect(report.faults).toBe(0);
  });

  it('a required method that all endpoints forbid is a fault', async () => {
    for (const { faults } of [localnet.rpc, second]) {
      faults.add({
        method: 'getProgramAccounts',
        rpcError: { code: -32601, message: 'disabled for key-98765' },
      });
    }
    const report = await examined();
    const finding = found(report, 'rpc-1', 'methods');
    expect(finding?.level).toBe('fault');
    expect(finding?.says).toContain(
      'no endpoint allows it: no market is found; no reserve is found; no vault is found',
    );
    expect(finding?.says).toContain('disabled for [hidden]');
    expect(found(report, 'view', 'fills')?.level).toBe('fault');
    expect(found(report, 'rpc-1', 'blocks')?.level).toBe('ok');
  });

  it('an optional method that all endpoints forbid is a warning', async () => {
    for (const { faults } of [localnet.rpc, second])
      faults.add({ method: 'simulateTransaction', status: 403 });
    const report = await examined();
    expect(notOk(report)).toEqual([
      ['warning', 'rpc-1', 'methods'],
      ['warning', 'rpc-2', 'methods'],
    ]);
    expect(found(report, 'rpc-1', 'methods')?.says).toContain('built transactions cannot be simulated');
  });

  it('says by the times of blocks how many days an endpoint has', async () => {
    const secondsPerSlot = 0.268;
    const times = vi.spyOn(localnet.chain, 'blockTime');
    const oldest = 200_000_000n;
    times.mockImplementation((slot) => (slot < oldest ? null : Math.floor(Number(slot) * secondsPerSlot)));
    const report = await examined();
    times.mockRestore();
    const { figures, says } = found(report, 'rpc-1', 'blocks') ?? {};
    const slots = Number(localnet.chain.slot) - (figures?.firstSlot ?? 0);
    const days = (slots * secondsPerSlot) / 86_400;
    expect(figures?.days).toBeCloseTo(days, 0);
    expect(says).toContain(`about ${Math.round(days)} days`);

    second.faults.add({ method: 'getBlockTime', nullResult: true });
    const untimed = found(await examined(), 'rpc-2', 'blocks');
    expect(untimed?.level).toBe('ok');
    expect(untimed?.says).toBe(`It has blocks since slot ${untimed?.figures?.firstSlot}.`);
    expect(Object.keys(untimed?.figures ?? {})).toEqual(['firstSlot']);
  });

  it('a truncated history is reported', async () => {
    second.faults.add({ method: 'getTransaction', nullResult: true });
    const report = await examined();
    expect(notOk(report)).toEqual([['warning', 'rpc-2', 'history']]);
    expect(found(report, 'rpc-2', 'history')?.says).toContain('but no longer has the oldest one');
  });

  it('an unreachable WebSocket endpoint is a fault', async () => {
    second.faults.refuseWebSockets = true;
    const report = await examined({ SOLANA_WS_URLS: `${localnet.rpc.wsUrl},${second.wsUrl}/key-98765` });
    expect(notOk(report)).toEqual([['fault', 'websocket-2', 'notifications']]);
    expect(found(report, 'websocket-2', 'notifications')?.says).toMatch(
      /^The connection failed; the gateway polls/,
    );
  });

  it('a WebSocket endpoint that rejects subscriptions is a fault', async () => {
    second.faults.add({
      method: 'programSubscribe',
      rpcError: { code: -32601, message: 'Method not found' },
    });
    const report = await examined({ SOLANA_WS_URLS: second.wsUrl });
    expect(found(report, 'websocket-1', 'notifications')?.says).toMatch(/^It refuses programSubscribe/);
    second.faults.clear();
    second.faults.add({ method: 'programSubscribe', hang: true });
    const silent = await examined({ SOLANA_WS_URLS: second.wsUrl, RPC_TIMEOUT_MS: '500' });
    expect(found(silent, 'websocket-1', 'notifications')?.says).toMatch(
      /^It did not accept the subscription within 500 ms/,
    );
  });

  it('a chain other than the configured cluster is a fault', async () => {
    const report = await examined({ SOLANA_CLUSTER: 'mainnet-beta' });
    expect(found(report, 'rpc-1', 'cluster')).toMatchObject({
      level: 'fault',
      says: 'It serves a chain that is not a public cluster, but SOLANA_CLUSTER is mainnet-beta. Correct one of the two.',
    });
    expect(clusterFinding('rpc-1', MAINNET_GENESIS, 'mainnet-beta').level).toBe('ok');
    expect(clusterFinding('rpc-1', MAINNET_GENESIS, 'localnet').says).toContain(
      'It serves mainnet-beta, but',
    );
  });

  it('a program id without a program is a fault, and an empty platform a warning', async () => {
    const report = await examined({
      KVAULT_PROGRAM_ID: localnet.addresses.emptyWallet,
      FARMS_PROGRAM_ID: localnet.addresses.market,
    });
    expect(found(report, 'programs', 'vaults')?.says).toContain(
      `There is no program at ${localnet.addresses.emptyWallet}`,
    );
    expect(found(report, 'programs', 'farms')?.says).toContain('is not a program. Correct FARMS_PROGRAM_ID');
    expect(found(report, 'view', 'fills')).toMatchObject({ level: 'warning' });
  });

  it('a file of the operator that is not there is a fault', async () => {
    const missing = '/nothing/there.json';
    const report = await examined({ CATALOGUE_FILE: missing, SEASONS_FILE: missing });
    expect(notOk(report)).toEqual([
      ['fault', 'settings', 'catalogue'],
      ['fault', 'settings', 'seasons'],
    ]);
    expect(found(report, 'settings', 'seasons')?.says).toMatch(/^SEASONS_FILE cannot be read as JSON/);
  });

  it('an invalid setting is named without its value, and nothing else is checked', async () => {
    const report = await examine({ env: { SOLANA_RPC_URLS: 'htp://127.0.0.1/key-98765' } });
    expect(report.findings).toEqual([
      {
        level: 'fault',
        subject: 'settings',
        check: 'valid',
        says: expect.stringMatching(/^SOLANA_RPC_URLS: must be URLs.*Nothing else was checked\.$/),
      },
    ]);
  });

  it('checks the localnet when nothing is configured', async () => {
    const report = await examine({ env: {}, listenMs: LISTEN_MS, pauseMs: LISTEN_MS });
    expect(notOk(report)).toEqual([]);
    expect(found(report, 'settings', 'valid')?.says).toContain('the localnet is checked');
    expect(found(report, 'websocket-1', 'notifications')?.level).toBe('ok');
  });
});
