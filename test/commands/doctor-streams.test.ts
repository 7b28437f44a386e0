import { GrpcStatus } from '@sluice/geyser/errors';
import { type Localnet, startLocalnet } from '@sluice/localnet/localnet';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { examine } from '../../src/cli/doctor/examine.ts';
import { toJson, toText } from '../../src/cli/doctor/report.ts';

const TOKEN = 'a/secret-token-1';

describe('doctor on Geyser endpoints', () => {
  let localnet: Localnet;

  beforeAll(async () => {
    localnet = await startLocalnet({ scale: 1, geyser: { token: TOKEN } });
  });

  afterEach(() => {
    localnet.geyser?.faults.clear();
  });

  afterAll(async () => {
    await localnet?.stop();
  });

  /** Level and text of each check of the endpoint. */
  async function examined(token: string): Promise<ReadonlyMap<string, readonly [string, string]>> {
    const url = new URL(localnet.geyser?.url ?? '');
    url.username = encodeURIComponent(token);
    const report = await examine({
      env: {
        SOLANA_RPC_URLS: localnet.rpc.url,
        SOLANA_CLUSTER: 'localnet',
        GEYSER_URLS: url.href,
        RPC_TIMEOUT_MS: '30000',
      },
      listenMs: 50,
      pauseMs: 50,
    });
    const output = toText(report) + toJson(report);
    for (const secret of [token, encodeURIComponent(token), '127.0.0.1', url.port])
      expect(output).not.toContain(secret);
    return new Map(
      report.findings
        .filter(({ subject }) => subject === 'geyser-1')
        .map(({ check, level, says }) => [check, [level, says]]),
    );
  }

  it('reports version, slot, replay and whether it accepts the subscription', async () => {
    const found = await examined(TOKEN);
    expect([...found.keys()]).toEqual(['answers', 'slot', 'replay', 'subscription']);
    expect(found.get('answers')?.[0]).toBe('ok');
    expect(found.get('slot')?.[0]).toBe('ok');
    expect(found.get('subscription')).toEqual(['ok', expect.stringContaining('account filters')]);
  });

  it('reports a wrong token', async () => {
    const [level, says] = (await examined('another-token')).get('answers') ?? [];
    expect(level).toBe('fault');
    expect(says).toContain('UNAUTHENTICATED');
  });

  it('reports a refused subscription', async () => {
    localnet.geyser?.faults.refuse(GrpcStatus.INVALID_ARGUMENT, 'too many filters');
    const [level, says] = (await examined(TOKEN)).get('subscription') ?? [];
    expect(level).toBe('fault');
    expect(says).toContain('too many filters');
  });
});
