import { newestCheckedSlot, programVersion, runsAtLeast } from '@sluice/protocol/deployments';
import { DEVNET_PROGRAMS, MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { judgeDeployment } from '../../src/chain/cluster/deployment.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;
const STAGING = 'SLendK7ySfcEzyaFqy93gDnD3RtrpXJcnRwb6zFHJSh' as Address;

describe('the version of a deployed program', () => {
  it.each([
    [klend, 440_486_775n, '1.25.0'],
    [klend, 440_486_776n, null],
    [kvault, 432_874_668n, '2.2.2'],
    [kvault, 452_240_450n, '2.3.0'],
    [kvault, 432_874_667n, null],
    // Its source has kept the number 1.6.5, but nothing proves that this is what runs.
    [farms, 444_035_168n, null],
    // The slot of this deployment was not recorded.
    [DEVNET_PROGRAMS.kvault, 400_000_000n, '2.0.1'],
    [STAGING, 440_486_775n, null],
  ])('%s deployed at %i is %s', (program, slot, version) => {
    expect(programVersion(program, slot, 'mainnet-beta')).toBe(version);
  });

  it.each([
    // depositWithMinSharesOut came with kvault 2.2.2.
    [kvault, 432_874_668n, '2.2.2', true],
    [kvault, 452_240_450n, '2.2.2', true],
    [kvault, 440_000_000n, '2.2.2', true],
    [kvault, 999_000_000n, '2.2.2', true],
    [kvault, 432_874_668n, '2.3.0', false],
    // Deployed before the first deployment of the version.
    [kvault, 440_000_000n, '2.3.0', false],
    [kvault, 432_874_667n, '2.2.2', false],
    [kvault, 400_000_000n, '2.2.2', false],
    // The first deployment of these versions is not recorded.
    [kvault, 400_000_000n, '2.2.0', null],
    [DEVNET_PROGRAMS.kvault, 400_000_000n, '2.2.2', false],
    [klend, 440_486_775n, '1.26.0', false],
    [klend, 440_486_776n, '1.26.0', null],
    [klend, 440_486_775n, '1.9.0', true],
    [farms, 444_035_168n, '1.6.5', null],
  ])('%s deployed at %i has %s: %s', (program, slot, version, expected) => {
    expect(runsAtLeast(program, slot, version, 'mainnet-beta')).toBe(expected);
  });

  it.each([
    // A test validator deploys any version at any slot, but a copy of mainnet has the slots of mainnet.
    ['localnet', 0n, null],
    ['localnet', 432_874_668n, true],
    ['localnet', 452_240_451n, true],
    // The program of mainnet is deployed there too, at other slots.
    ['devnet', 452_240_450n, null],
    ['devnet', 400_000_000n, null],
    ['devnet', 999_000_000n, null],
  ])('on %s a vault program deployed at %i has 2.2.2: %s', (cluster, slot, expected) => {
    expect(runsAtLeast(kvault, slot, '2.2.2', cluster)).toBe(expected);
  });
});

describe('the newest checked deployment', () => {
  it('is known on mainnet and its copies, by the address of the program', () => {
    for (const cluster of ['mainnet-beta', 'localnet']) {
      expect(newestCheckedSlot(klend, cluster)).toBe(440_486_775n);
      expect(newestCheckedSlot(kvault, cluster)).toBe(452_240_450n);
      expect(newestCheckedSlot(farms, cluster)).toBe(444_035_168n);
      expect(newestCheckedSlot(STAGING, cluster)).toBeNull();
    }
  });

  it('is unknown on devnet, where the lending program has the same address and other slots', () => {
    expect(newestCheckedSlot(klend, 'devnet')).toBeNull();
    expect(newestCheckedSlot(DEVNET_PROGRAMS.kvault, 'devnet')).toBeNull();
  });
});

describe('a deployment', () => {
  const judged = (deployedSlot: bigint | null, cluster = 'mainnet-beta', address = klend) =>
    judgeDeployment({ program: 'klend', address, deployedSlot, deployedAt: null }, cluster);

  it('is newer from one slot after the checked one on', () => {
    expect(judged(440_486_775n)).toMatchObject({ state: 'CHECKED', version: '1.25.0', warning: null });
    expect(judged(440_486_776n)).toMatchObject({
      state: 'NEWER',
      version: null,
      implementedVersion: '1.25.0',
      warning:
        'The klend program was redeployed at slot 440486776, after the deployment that this release was checked against: numbers and builds may be off until Sluice is updated; this release implements klend 1.25.0.',
    });
  });

  it('is unknown, and nothing to warn of, when it is older, unread, elsewhere or another program', () => {
    for (const unknown of [
      judged(440_486_774n),
      judged(null),
      judged(500_000_000n, 'devnet'),
      judged(500_000_000n, 'mainnet-beta', STAGING),
    ]) {
      expect(unknown).toMatchObject({ state: 'UNKNOWN', warning: null });
    }
  });

  it('is older when it is known, and says so', () => {
    const read = {
      program: 'kvault',
      address: kvault,
      deployedSlot: 432_874_668n,
      deployedAt: null,
    } as const;
    expect(judgeDeployment(read, 'mainnet-beta')).toMatchObject({
      state: 'OLDER',
      version: '2.2.2',
      warning:
        'The kvault program deployed at slot 432874668, version 2.2.2, is older than the one that this release was checked against: numbers and builds may follow rules that it does not have; this release implements kvault 2.3.0.',
    });
    expect(judgeDeployment(read, 'devnet')).toMatchObject({ state: 'UNKNOWN', version: null, warning: null });
  });

  it('is newer, too, at a slot that the chain has not reached', () => {
    const read = { program: 'klend', address: klend, deployedSlot: 999_999_999n, deployedAt: null } as const;
    expect(judgeDeployment(read, 'mainnet-beta', false)).toMatchObject({
      state: 'NEWER',
      warning:
        'The klend program names slot 999999999 as its deployment, which the chain has not reached, so it is not the deployment that this release was checked against: numbers and builds may be off until Sluice is updated; this release implements klend 1.25.0.',
    });
    expect(judgeDeployment(read, 'devnet', false)).toMatchObject({ state: 'UNKNOWN', warning: null });
  });

  it('tells the time when it is known', () => {
    const deployedAt = new Date('2026-11-18T16:00:05Z');
    const read = { program: 'farms', address: farms, deployedSlot: 500_000_000n, deployedAt } as const;
    expect(judgeDeployment(read, 'mainnet-beta').warning).toContain(
      'The farms program was redeployed at slot 500000000 (2026-11-18T16:00:05Z), after',
    );
  });
});
