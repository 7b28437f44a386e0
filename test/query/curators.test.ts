import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { sum } from '@sluice/protocol/numeric/rational';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HarborWorld, IMITATION, startHarborWorld } from '../support/history/harbor.ts';

let world: HarborWorld;
beforeAll(async () => {
  world = await startHarborWorld();
});
afterAll(() => world?.app.stop());

const vaultNamed = (name: string) => world.vaults.find((vault) => vault.name === name) ?? expect.fail(name);
const total = (values: readonly string[]) => toDecimalString(sum(values.map(parseDecimal)));

interface Part {
  readonly kind: string;
  readonly mint: string | null;
  readonly share: string;
}

describe('a curator', () => {
  it('is known by the admin authority of its vaults, and each vault has one', async () => {
    const { curators } = await world.ask<{
      curators: {
        nodes: {
          address: string;
          authorities: string[];
          name: string | null;
          verified: boolean;
          source: string | null;
          checkedAt: string | null;
          vaults: { nodes: { address: string; state: { vaultAdminAuthority: string } }[] };
        }[];
      };
    }>(`{ curators(first: 100) { nodes { address authorities name verified source checkedAt
      vaults(first: 100) { nodes { address state { vaultAdminAuthority } } } } } }`);
    const listed = curators.nodes.flatMap(({ vaults }) => vaults.nodes.map(({ address }) => address));
    expect(listed.sort()).toEqual(world.vaults.map(({ address }) => String(address)).sort());
    for (const { authorities, vaults } of curators.nodes) {
      for (const { state } of vaults.nodes) expect(authorities).toContain(state.vaultAdminAuthority);
    }
    const verified = curators.nodes.filter((curator) => curator.verified);
    expect(verified).toMatchObject([
      {
        name: 'Harbor',
        authorities: world.ofHarbor.map(({ admin }) => admin),
        source: 'https://harbor.example/vaults',
        // The catalogue is of 1 June 2026.
        checkedAt: '2026-05-12T00:00:00.000Z',
      },
    ]);
    for (const { verified: isVerified, ...other } of curators.nodes)
      if (!isVerified) expect(other).toMatchObject({ name: null, source: null, checkedAt: null });
  });

  it('is not known by the name of a vault: an imitation is marked', async () => {
    const marks = 'name nameVerified nameResembles { name } curator { name verified address }';
    const { vaults } = await world.ask<{ vaults: { nodes: Record<string, unknown>[] } }>(
      `{ vaults(filter: { nameContains: "harbor" }) { nodes { ${marks} } } }`,
    );
    const byName = new Map(vaults.nodes.map((vault) => [vault.name, vault]));
    expect(byName.get(IMITATION)).toEqual({
      name: IMITATION,
      nameVerified: false,
      nameResembles: { name: 'Harbor' },
      curator: { name: null, verified: false, address: vaultNamed(IMITATION).admin },
    });
    for (const { name } of world.ofHarbor) {
      expect(byName.get(name)).toMatchObject({
        nameVerified: true,
        nameResembles: null,
        curator: { name: 'Harbor', verified: true },
      });
    }
    const { body } = await world.app.get(
      `/kvaults/mints/${vaultNamed(IMITATION).sharesMint.address}/metadata`,
    );
    expect(body).toMatchObject({ description: expect.stringContaining('is not verified') });
  });

  it('is found by each of its authorities and by its id, and by nothing else', async () => {
    const [first, second] = world.ofHarbor;
    const { curator } = await world.ask<{ curator: { id: string; address: string } }>(
      `{ curator(address: "${second?.admin}") { id address } }`,
    );
    expect(curator.address).toBe(first?.admin);
    const { node } = await world.ask<{ node: object }>(
      `{ node(id: "${curator.id}") { ... on Curator { name } } }`,
    );
    expect(node).toEqual({ name: 'Harbor' });
    const { data, errors } = await world.app.query(`{ curator(address: "${first?.address}") { name } }`);
    expect([data, errors]).toMatchObject([
      { curator: null },
      [
        {
          extensions: { code: 'CURATOR_NOT_FOUND' },
          message: expect.stringContaining(String(first?.address)),
        },
      ],
    ]);
  });

  it('adds up the values and fees of its vaults', async () => {
    const usd = '{ usd sol }';
    const { curator } = await world.ask<{
      curator: Record<'value', { usd: string; sol: string }> & {
        allocations: { usd: string; share: string }[];
        fees: Record<'performance' | 'management' | 'pending', { usd: string }>;
        vaults: {
          nodes: {
            totalValue: { usd: string; sol: string };
            idle: { usd: string };
            invested: { usd: string };
            fees: Record<'cumulativePerformance' | 'cumulativeManagement' | 'pending', { usd: string }>;
          }[];
        };
      };
    }>(`{ curator(address: "${world.ofHarbor[0]?.admin}") { value ${usd} allocations { usd share }
      fees { performance ${usd} management ${usd} pending ${usd} }
      vaults { nodes { totalValue ${usd} idle ${usd} invested ${usd}
        fees { cumulativePerformance ${usd} cumulativeManagement ${usd} pending ${usd} } } } } }`);
    const { nodes } = curator.vaults;
    expect(nodes).toHaveLength(4);
    const near = (text: string, parts: readonly string[]) =>
      expect(Number(text) / Number(total(parts)), text).toBeCloseTo(1, 12);
    near(
      curator.value.usd,
      nodes.map(({ totalValue }) => totalValue.usd),
    );
    near(
      curator.value.sol,
      nodes.map(({ totalValue }) => totalValue.sol),
    );
    near(
      curator.fees.performance.usd,
      nodes.map(({ fees }) => fees.cumulativePerformance.usd),
    );
    near(
      curator.fees.pending.usd,
      nodes.map(({ fees }) => fees.pending.usd),
    );
    expect(total(curator.allocations.map(({ share }) => share))).toBe('1');
    // Everything in the vaults, fees that are not withdrawn included.
    near(
      total(curator.allocations.map((each) => each.usd)),
      nodes.flatMap(({ idle, invested }) => [idle.usd, invested.usd]),
    );
  });

  it('is exposed to what its vaults are, by value', async () => {
    const { curator } = await world.ask<{
      curator: {
        exposures: (Part & { usd: string })[];
        vaults: {
          nodes: {
            idle: { usd: string };
            invested: { usd: string };
            risk: { exposures: Part[] };
          }[];
        };
      };
    }>(`{ curator(address: "${world.ofHarbor[0]?.admin}") { exposures { kind mint usd share }
      vaults { nodes { idle { usd } invested { usd } risk { exposures { kind mint share } } } } } }`);
    expect(total(curator.exposures.map(({ share }) => share))).toBe('1');
    const expected = new Map<string, number>();
    for (const { idle, invested, risk } of curator.vaults.nodes) {
      expect(total(risk.exposures.map(({ share }) => share))).toBe('1');
      for (const { kind, mint, share } of risk.exposures) {
        const usd = (Number(idle.usd) + Number(invested.usd)) * Number(share);
        expected.set(`${kind} ${mint}`, (expected.get(`${kind} ${mint}`) ?? 0) + usd);
      }
    }
    expect(curator.exposures.length).toBe(expected.size);
    for (const { kind, mint, usd } of curator.exposures)
      expect(Number(usd) / (expected.get(`${kind} ${mint}`) ?? 0), `${kind} ${mint}`).toBeCloseTo(1, 6);
  });
});
