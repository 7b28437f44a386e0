import type { AllocationChange, VaultChange } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEW_CURSOR } from '../../src/store/transactions/cursors.ts';
import type { EventfulTransaction } from '../../src/store/transactions/write-events.ts';
import { writePage } from '../../src/store/transactions/write-page.ts';
import { type HarborWorld, startHarborWorld } from '../support/history/harbor.ts';

let world: HarborWorld;
beforeAll(async () => {
  world = await startHarborWorld();
});
afterAll(() => world?.app.stop());

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
    const outcome = await writePage(world.app.history.db, {
      address: vault,
      fence: null,
      from: NEW_CURSOR,
      to: { ...NEW_CURSOR, reachedStart: true, syncedSlot: world.app.view.moment.slot },
      final,
      tail: null,
      missing: [],
      found: [],
      orders: new Map(),
    });
    expect(outcome).toEqual({ kind: 'written' });
  }

  const vaultReserve = (vault: Address) =>
    world.vaults.find(({ address }) => address === vault)?.allocations[0]?.reserve.address ?? SIGNER;

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

  beforeAll(async () => {
    const [one, two] = world.ofHarbor;
    if (one === undefined || two === undefined) throw new RangeError('Harbor has several vaults');
    await happened(one.address, { name: 'first', from: 100 }, [
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
    await happened(two.address, { name: 'second', from: 115 }, [{ set: [{ weight: 7n }] }]);
  });

  it('say who changed what, from and to, newest first, page by page', async () => {
    const { address } = world.ofHarbor[0] ?? expect.fail('no vault');
    const reserve = vaultReserve(address);
    const document = `query ($address: Address!, $after: String) { vault(address: $address) {
      allocationChanges(first: 3, after: $after) { ${FIELDS} } } }`;
    const nodes: Change[] = [];
    for (let after: string | null = null, pages = 1; pages <= 3; pages += 1) {
      const { vault }: { vault: { allocationChanges: Changes } } = await world.ask(document, {
        address,
        after,
      });
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
    const [, second] = world.ofHarbor;
    if (second === undefined) throw new RangeError('Harbor has several vaults');
    const { curator } = await world.ask<{
      curator: { allocationChanges: { nodes: { vault: { name: string }; toWeight: string }[] } };
    }>(
      `{ curator(address: "${second.admin}") {
        allocationChanges(filter: { kinds: [SET_TARGET] }) { nodes { vault { name } toWeight } } } }`,
    );
    const [first] = world.ofHarbor;
    expect(curator.allocationChanges.nodes).toEqual([
      { vault: { name: first?.name }, toWeight: '40' },
      { vault: { name: second.name }, toWeight: '7' },
      { vault: { name: first?.name }, toWeight: '100' },
    ]);
  });
});
