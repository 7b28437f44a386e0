import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { examine } from '../../src/cli/doctor/examine.ts';
import { programsFinding } from '../../src/cli/doctor/programs.ts';
import type { Report } from '../../src/cli/doctor/report.ts';
import { FaultyProxy } from '../support/rpc/faulty-proxy.ts';

const DEVNET_GENESIS = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
const DEVNET_KVAULT = 'devkRngFnfp4gBc5a3LsadgbQKdPo8MSZ4prFiNSVmY';
const MAINNET_KVAULT = 'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd';

describe('the doctor on a chain with the genesis hash of devnet', () => {
  let rpc: LocalnetRpc;
  let devnet: FaultyProxy;

  beforeAll(async () => {
    rpc = await serveChain(unchangedChain());
    devnet = await FaultyProxy.start(rpc.url);
    devnet.misbehave(({ method, body, response, pass }) => {
      if (method !== 'getGenesisHash') return pass();
      const { id } = JSON.parse(body.toString()) as { id: unknown };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: DEVNET_GENESIS }));
    });
  });
  afterAll(async () => {
    await devnet?.die();
    await rpc?.close();
  });

  const examined = (env: Readonly<Record<string, string>>) =>
    examine({ env: { SOLANA_RPC_URLS: devnet.url, ...env }, listenMs: 1, pauseMs: 1 });
  const found = ({ findings }: Report, check: string) =>
    findings.find((finding) => finding.subject === 'programs' && finding.check === check);

  it('accepts the preset', async () => {
    const report = await examined({ SOLANA_CLUSTER: 'devnet' });
    expect(report.findings.find(({ check }) => check === 'cluster')?.says).toBe('It serves devnet.');
    expect(found(report, 'cluster')).toMatchObject({ level: 'ok', says: 'They are those of devnet.' });
    // The chain behind the proxy has no such program.
    expect(found(report, 'vaults')?.says).toContain(`There is no program at ${DEVNET_KVAULT}`);
  });

  it('explains that the vault program is that of mainnet', async () => {
    for (const env of [{}, { SOLANA_CLUSTER: 'devnet', KVAULT_PROGRAM_ID: MAINNET_KVAULT }]) {
      const finding = found(await examined(env), 'cluster');
      expect(finding?.level).toBe('fault');
      expect(finding?.says).toBe(
        `KVAULT_PROGRAM_ID is ${MAINNET_KVAULT}, the program of mainnet-beta, but the endpoints serve devnet, where it is ${DEVNET_KVAULT}. Set SOLANA_CLUSTER=devnet and leave KVAULT_PROGRAM_ID unset.`,
      );
    }
  });
});

describe('programs and clusters', () => {
  it('a program of devnet is a fault on mainnet', () => {
    const programs = { ...MAINNET_PROGRAMS, kvault: DEVNET_KVAULT as never };
    expect(programsFinding(programs, 'mainnet-beta')).toMatchObject({ level: 'fault' });
    expect(programsFinding(MAINNET_PROGRAMS, 'mainnet-beta')).toMatchObject({ level: 'ok' });
  });

  it("an operator's own builds are accepted and named", () => {
    const finding = programsFinding({ ...MAINNET_PROGRAMS, klend: SYSTEM_PROGRAM }, 'mainnet-beta');
    expect(finding?.level).toBe('ok');
    expect(finding?.says).toContain('except KLEND_PROGRAM_ID, which you have set');
  });

  it('other chains have programs of their own', () => {
    expect(programsFinding(MAINNET_PROGRAMS, null)).toBeNull();
    expect(programsFinding(MAINNET_PROGRAMS, 'testnet')).toBeNull();
  });
});
