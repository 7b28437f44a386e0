import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { sum } from '@sluice/protocol/numeric/rational';
import type { AllocationChange, VaultChange } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReserveSample, VaultSample } from '../../src/store/history/samples.ts';
import { DAY, HOUR, type Step } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { NEW_CURSOR } from '../../src/store/transactions/cursors.ts';
import type { EventfulTransaction } from '../../src/store/transactions/write-events.ts';
import { writePage } from '../../src/store/transactions/write-page.ts';
import { type HistoryWorld, startHistoryWorld } from '../support/apps/history-app.ts';
import { d, reserveSample, snapshot, vaultSample } from '../support/history/samples.ts';

/** Who runs vaults, over the localnet's catalogue: "Harbor" is verified, "Harbor Staked SOL" imitates it. */

const IMITATION = 'Harbor Staked SOL';

let world: HistoryWorld;
beforeAll(async () => {
  world = await startHistoryWorld();
});
afterAll(() => world?.stop());

const chainVaults = () => world.localChain.worldChain.world.vaults;
const vaultNamed = (name: string) => chainVaults().find((vault) => vault.name === name) ?? expect.fail(name);
const ofHarbor = () => chainVaults().filter(({ name }) => name.startsWith('Harbor ') && name !== IMITATION);
const total = (values: readonly string[]) => toDecimalString(sum(values.map(parseDecimal)));

async function ask<T>(document: string, variables: Readonly<Record<string, unknown>> = {}): Promise<T> {
  const { data, errors } = await world.query<T>(document, variables);
  expect(errors).toEqual([]);
  return data;
}

interface Part {
  readonly kind: string;
  readonly mint: string | null;
  readonly share: string;
}

describe('a curator', () => {
  it('is known by the admin authority of its vaults, and each vault has one', async () => {
    const { curators } = await ask<{
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
    expect(listed.sort()).toEqual(
      chainVaults()
        .map(({ address }) => String(address))
        .sort(),
    );
    for (const { authorities, vaults } of curators.nodes) {
      for (const { state } of vaults.nodes) expect(authorities).toContain(state.vaultAdminAuthority);
    }
    const verified = curators.nodes.filter((curator) => curator.verified);
    expect(verified).toMatchObject([
      {
        name: 'Harbor',
        authorities: ofHarbor().map(({ admin }) => admin),
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
    const { vaults } = await ask<{ vaults: { nodes: Record<string, unknown>[] } }>(
      `{ vaults(filter: { nameContains: "harbor" }) { nodes { ${marks} } } }`,
    );
    const byName = new Map(vaults.nodes.map((vault) => [vault.name, vault]));
    expect(byName.get(IMITATION)).toEqual({
      name: IMITATION,
      nameVerified: false,
      nameResembles: { name: 'Harbor' },
      curator: { name: null, verified: false, address: vaultNamed(IMITATION).admin },
    });
    for (const { name } of ofHarbor()) {
      expect(byName.get(name)).toMatchObject({
        nameVerified: true,
        nameResembles: null,
        curator: { name: 'Harbor', verified: true },
      });
    }
    const { body } = await world.get(`/kvaults/mints/${vaultNamed(IMITATION).sharesMint.address}/metadata`);
    expect(body).toMatchObject({ description: expect.stringContaining('is not verified') });
  });

  it('is found by each of its authorities and by its id, and by nothing else', async () => {
    const [first, second] = ofHarbor();
    const { curator } = await ask<{ curator: { id: string; address: string } }>(
      `{ curator(address: "${second?.admin}") { id address } }`,
    );
    expect(curator.address).toBe(first?.admin);
    const { node } = await ask<{ node: object }>(`{ node(id: "${curator.id}") { ... on Curator { name } } }`);
    expect(node).toEqual({ name: 'Harbor' });
    const { data, errors } = await world.query(`{ curator(address: "${first?.address}") { name } }`);
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
    const { curator } = await ask<{
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
    }>(`{ curator(address: "${ofHarbor()[0]?.admin}") { value ${usd} allocations { usd share }
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
    const { curator } = await ask<{
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
    }>(`{ curator(address: "${ofHarbor()[0]?.admin}") { exposures { kind mint usd share }
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

describe('the risk of a vault', () => {
  it('is its part of the loans of its reserves', async () => {
    const { stakedMint, vault } = world.localChain.addresses;
    const { vault: found } = await ask<{
      vault: {
        allocations: { reserveAddress: string; actualShare: string }[];
        risk: {
          reserves: {
            reserveAddress: string;
            share: string;
            shareOfReserve: string;
            debtUsd: string;
            unsecuredUsd: string;
            backing: { debtUsd: string }[];
            market: { address: string; risk: { shocks: { badDebtUsd: string; byDebt: Debt[] }[] } };
          }[];
          shocks: {
            badDebtUsd: string;
            reserves: { reserveAddress: string; badDebtUsd: string; vaultBadDebtUsd: string }[];
          }[];
        };
      };
    }>(
      `query ($vault: Address!, $shocks: [MarketShock!]!) { vault(address: $vault) {
        allocations { reserveAddress actualShare }
        risk(shocks: $shocks) {
          reserves { reserveAddress share shareOfReserve debtUsd unsecuredUsd backing { debtUsd }
            market { address risk(shocks: $shocks) { shocks { badDebtUsd byDebt { reserveAddress badDebtUsd } } } } }
          shocks { badDebtUsd reserves { reserveAddress badDebtUsd vaultBadDebtUsd } }
        } } }`,
      { vault, shocks: [{ label: 'fall', prices: [{ mint: stakedMint, changePct: '-90' }] }] },
    );
    const { reserves, shocks } = found.risk;
    const [shock] = shocks;
    let hasBadDebt = false;
    for (const reserve of reserves) {
      const { reserveAddress } = reserve;
      const of = <T extends { reserveAddress: string }>(list: readonly T[]) =>
        list.find((each) => each.reserveAddress === reserveAddress);
      expect(reserve.share).toBe(of(found.allocations)?.actualShare);
      expect(
        Number(total([reserve.unsecuredUsd, ...reserve.backing.map(({ debtUsd }) => debtUsd)])),
      ).toBeCloseTo(Number(reserve.debtUsd), 6);
      const [inMarket] = reserve.market.risk.shocks;
      // Bad debt by the reserve that lent adds up to that of the market.
      expect(Number(total(inMarket?.byDebt.map(({ badDebtUsd }) => badDebtUsd) ?? []))).toBeCloseTo(
        Number(inMarket?.badDebtUsd),
        9,
      );
      const loss = of(shock?.reserves ?? []) ?? expect.fail(reserveAddress);
      expect(loss.badDebtUsd).toBe(of(inMarket?.byDebt ?? [])?.badDebtUsd ?? '0');
      expect(Number(loss.vaultBadDebtUsd)).toBeCloseTo(
        Number(loss.badDebtUsd) * Number(reserve.shareOfReserve),
        6,
      );
      hasBadDebt ||= Number(loss.badDebtUsd) > 0;
    }
    expect(hasBadDebt).toBe(true);
    expect(Number(shock?.badDebtUsd)).toBeCloseTo(
      Number(total(shock?.reserves.map(({ vaultBadDebtUsd }) => vaultBadDebtUsd) ?? [])),
      6,
    );
  });

  it('says how much can leave only where liquidity is recorded for as long', async () => {
    const { vault } = world.localChain.addresses;
    const document = `{ vault(address: "${vault}") { withdrawableNow { amount }
      allocations { reserveAddress invested { amount } }
      risk { outflows { within amount { amount } leastRecorded { amount } } } } }`;
    type Answer = {
      vault: {
        withdrawableNow: { amount: string };
        allocations: { reserveAddress: Address; invested: { amount: string } }[];
        risk: {
          outflows: {
            within: string;
            amount: { amount: string } | null;
            leastRecorded: { amount: string } | null;
          }[];
        };
      };
    };
    const before = await ask<Answer>(document);
    expect(before.vault.risk.outflows).toEqual(
      ['HOUR', 'DAY', 'WEEK'].map((within) => ({ within, amount: null, leastRecorded: null })),
    );
    // 26 hours without a rise, and with nothing free in one of the last day.
    const reserves = before.vault.allocations.map(({ reserveAddress }) => reserveAddress);
    await write(
      HOUR,
      Array.from({ length: 26 }, (_, i) => 26 - i).map((hoursAgo) => ({
        at: world.ago(hoursAgo * 3_600_000),
        reserves: reserves.map((reserve) =>
          reserveSample('r', { reserve, totalLiquidity: d(hoursAgo > 10 ? '1000000000' : '0') }),
        ),
      })),
    );
    await world.nextView();
    const after = await ask<Answer>(document);
    const [hour, day, week] = after.vault.risk.outflows;
    expect(hour?.amount).toEqual(after.vault.withdrawableNow);
    expect(day?.amount).toEqual(after.vault.withdrawableNow);
    expect([week?.amount, week?.leastRecorded]).toEqual([null, null]);
    const { idle } = (
      await ask<{ vault: { idle: { amount: string } } }>(`{ vault(address: "${vault}") { idle { amount } } }`)
    ).vault;
    expect(day?.leastRecorded).toEqual(idle);
  });
});

interface Debt {
  readonly reserveAddress: string;
  readonly badDebtUsd: string;
}

interface Moment {
  readonly at: Date;
  readonly vaults?: readonly VaultSample[];
  readonly reserves?: readonly ReserveSample[];
}

async function write(step: Step, moments: readonly Moment[]): Promise<void> {
  const { db, fence } = world.history;
  const snapshots = moments.map(({ at, ...samples }) => snapshot(at, samples));
  await writeHistory(db, fence, step, snapshots);
}

describe('fees of a curator', () => {
  it('are what its vaults charged from record to record', async () => {
    const [one, other] = ofHarbor().map(({ address }) => address as Address);
    if (one === undefined || other === undefined) throw new RangeError('Harbor has several vaults');
    const fees = (vault: Address, performance: string | null, management: string, price: string) =>
      vaultSample('v', {
        vault,
        performanceFees: performance === null ? null : d(performance),
        managementFees: performance === null ? null : d(management),
        tokenPriceUsd: d(price),
      });
    const day = 86_400_000;
    await write(DAY, [
      { at: world.ago(4 * day), vaults: [fees(one, null, '0', '1'), fees(other, '1', '0', '10')] },
      { at: world.ago(3 * day), vaults: [fees(one, '100', '5', '1'), fees(other, '1', '0', '10')] },
      { at: world.ago(2 * day), vaults: [fees(one, '103', '6', '2'), fees(other, '1.5', '0', '10')] },
    ]);
    await world.nextView();
    const document = `query ($address: Address!, $range: TimeRange) { curator(address: $address) {
      feesHistory(range: $range) { interval points { performanceUsd managementUsd usd
        vaults { vault { address } performance management } } } } }`;
    const { curator } = await ask<{ curator: { feesHistory: { interval: string; points: object[] } } }>(
      document,
      { address: ofHarbor()[1]?.admin, range: { start: new Date(world.ago(3 * day).getTime() - day / 2) } },
    );
    expect(curator.feesHistory).toEqual({
      interval: 'DAY',
      points: [
        {
          // Nothing was recorded of the first vault before.
          performanceUsd: null,
          managementUsd: null,
          usd: null,
          vaults: [
            { vault: { address: one }, performance: null, management: null },
            { vault: { address: other }, performance: '0', management: '0' },
          ],
        },
        {
          // 3 x 2 + 0.5 x 10, and 1 x 2.
          performanceUsd: '11',
          managementUsd: '2',
          usd: '13',
          vaults: [
            { vault: { address: one }, performance: '3', management: '1' },
            { vault: { address: other }, performance: '0.5', management: '0' },
          ],
        },
      ],
    });
  });
});

describe('changes of allocations', () => {
  const SIGNER = 'B1aLzaNMeFVAyQ6f3XbbUyKcH2YPHu2fqiEagmiF23VR' as Address;

  /** Writes transactions as ingestion does, oldest first. */
  async function happened(
    vault: Address,
    { name, from }: { readonly name: string; readonly from: number },
    transactions: readonly { readonly set?: readonly Partial<AllocationChange>[]; readonly moved?: bigint }[],
  ): Promise<void> {
    const reserve = vaultReserve(vault);
    const final = transactions.map(({ set = [], moved }, i): EventfulTransaction => {
      const place = {
        signature: `${name}${'abcdefgh'[i]}`,
        slot: BigInt(from + 10 * i),
        time: 1_700_000_000 + i,
      };
      const move: VaultChange[] =
        moved === undefined
          ? []
          : [
              {
                kind: 'invest',
                vault,
                wallet: SIGNER,
                tokens: moved < 0n ? -moved : moved,
                shares: 0n,
                reserve,
                reserveTokens: moved,
                counterparty: null,
              },
            ];
      return {
        ...place,
        vaultEvents: move.map((change, index) => ({ ...change, ...place, index, instruction: 'invest' })),
        lendingEvents: [],
        farmEvents: [],
        allocationEvents: set.map((change, index) => ({
          kind: 'setAllocation',
          vault,
          signer: SIGNER,
          reserve,
          weight: null,
          cap: null,
          collateralCap: null,
          ...change,
          ...place,
          index,
        })),
        queueEvents: [],
        problems: [],
      };
    });
    const outcome = await writePage(world.history.db, {
      address: vault,
      fence: null,
      from: NEW_CURSOR,
      to: { ...NEW_CURSOR, reachedStart: true, syncedSlot: world.view.moment.slot },
      final,
      tail: null,
      missing: [],
      found: [],
      orders: new Map(),
    });
    expect(outcome).toEqual({ kind: 'written' });
  }

  const vaultReserve = (vault: Address) =>
    chainVaults().find(({ address }) => address === vault)?.allocations[0]?.reserve.address ?? SIGNER;

  interface Change {
    readonly kind: string;
    readonly by: string;
    readonly reserveAddress: string | null;
    readonly fromWeight: string | null;
    readonly toWeight: string | null;
    readonly fromCap: string | null;
    readonly toCap: string | null;
    readonly moved: string | null;
  }
  interface Changes {
    readonly complete: boolean;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    readonly nodes: readonly Change[];
  }
  const FIELDS = `complete pageInfo { hasNextPage endCursor }
    nodes { kind by reserveAddress fromWeight toWeight fromCap toCap moved }`;

  it('say who changed what, from and to, newest first, page by page', async () => {
    const { address } = ofHarbor()[0] ?? expect.fail('no vault');
    await happened(address, { name: 'first', from: 100 }, [
      { set: [{ weight: 100n, cap: 5_000_000n }] },
      { set: [{ kind: 'setUnallocated', reserve: null, weight: 30n }], moved: 2_000_000n },
      // Two settings and a move in one transaction: the move follows.
      {
        set: [
          { weight: 40n, cap: 7_000_000n },
          { kind: 'setUnallocated', reserve: null, weight: null, cap: 9_000_000n },
        ],
        moved: -500_000n,
      },
      { set: [{ kind: 'removeAllocation', weight: 0n, cap: 0n, collateralCap: 0n }] },
      { set: [{ kind: 'setUnallocated', reserve: null, weight: 10n }] },
    ]);
    const reserve = vaultReserve(address);
    const document = `query ($address: Address!, $after: String) { vault(address: $address) {
      allocationChanges(first: 3, after: $after) { ${FIELDS} } } }`;
    const nodes: Change[] = [];
    for (let after: string | null = null, pages = 1; pages <= 3; pages += 1) {
      const { vault }: { vault: { allocationChanges: Changes } } = await ask(document, { address, after });
      nodes.push(...vault.allocationChanges.nodes);
      expect(vault.allocationChanges.complete).toBe(true);
      expect(vault.allocationChanges.pageInfo.hasNextPage).toBe(pages < 3);
      after = vault.allocationChanges.pageInfo.endCursor;
    }
    const none = { fromWeight: null, toWeight: null, fromCap: null, toCap: null, moved: null };
    const inReserve = { ...none, by: SIGNER, reserveAddress: reserve };
    const idle = { ...none, by: SIGNER, reserveAddress: null, kind: 'SET_IDLE' };
    expect(nodes).toEqual([
      { ...idle, fromWeight: '30', toWeight: '10' },
      { ...inReserve, kind: 'REMOVE', fromWeight: '40', toWeight: '0', fromCap: '7', toCap: '0' },
      { ...inReserve, kind: 'MOVE', moved: '-0.5' },
      { ...idle, toCap: '9' },
      { ...inReserve, kind: 'SET_TARGET', fromWeight: '100', toWeight: '40', fromCap: '5', toCap: '7' },
      { ...inReserve, kind: 'MOVE', moved: '2' },
      { ...idle, toWeight: '30' },
      { ...inReserve, kind: 'SET_TARGET', toWeight: '100', toCap: '5' },
    ]);
  });

  it('of a curator are those of its vaults, by kind', async () => {
    const [, second] = ofHarbor();
    if (second === undefined) throw new RangeError('Harbor has several vaults');
    await happened(second.address, { name: 'second', from: 115 }, [{ set: [{ weight: 7n }] }]);
    const { curator } = await ask<{
      curator: { allocationChanges: { nodes: { vault: { name: string }; toWeight: string }[] } };
    }>(
      `{ curator(address: "${second.admin}") {
        allocationChanges(filter: { kinds: [SET_TARGET] }) { nodes { vault { name } toWeight } } } }`,
    );
    const [first] = ofHarbor();
    expect(curator.allocationChanges.nodes).toEqual([
      { vault: { name: first?.name }, toWeight: '40' },
      { vault: { name: second.name }, toWeight: '7' },
      { vault: { name: first?.name }, toWeight: '100' },
    ]);
  });
});
