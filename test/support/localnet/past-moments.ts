import { generateWorld, inspectAt } from '@sluice/localnet/world/generate-world';
import { slotAt, timeOf } from '@sluice/localnet/world/time';
import type { World } from '@sluice/localnet/world/world';
import { worldCatalogue } from '@sluice/localnet/world-catalogue';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../../src/chain/accounts/account-page.ts';
import { CatalogueBuilder } from '../../../src/chain/view/catalogue.ts';
import { decodersFor, type Kind } from '../../../src/chain/view/kinds.ts';
import type { View } from '../../../src/chain/view/view.ts';
import { parseCatalogue } from '../../../src/config/catalogue/catalogue.ts';
import type { CatalogueInput } from '../../../src/config/catalogue/format.ts';
import { Valuation } from '../../../src/services/tokens/valuation.ts';

/** The generated world at a past moment: its model, and the View that a recorder would have seen. */
export interface PastMoment {
  readonly sampledAt: Date;
  readonly slot: bigint;
  /** Every reserve is refreshed to the slot. Only valid during the callback, because the world advances afterwards. */
  readonly world: World;
  readonly view: View;
  obligations(): ChainAccount[];
}

/** Replays the generated world up to the present and calls `look` at each moment. Moments ascend, in milliseconds. */
export function replayMoments(
  presentMs: number,
  moments: readonly number[],
  look: (moment: PastMoment) => void,
): void {
  const generation = generateWorld({ now: () => presentMs }, moments.map(slotAt));
  const builder = new CatalogueBuilder(decodersFor(MAINNET_PROGRAMS));
  const linked = new Map<Address, Kind>();
  const { world } = generation;
  for (const slot of generation.stops) {
    inspectAt(world, slot, () =>
      look({
        sampledAt: new Date(timeOf(slot) * 1_000),
        slot,
        world,
        view: viewAt(world, builder, linked, slot),
        obligations: () =>
          world.obligations.flatMap(({ address }) => {
            const account = world.store.get(address);
            return account === undefined ? [] : [{ ...account, address, slot }];
          }),
      }),
    );
  }
}

function viewAt(world: World, builder: CatalogueBuilder, linked: Map<Address, Kind>, slot: bigint): View {
  const take = (kind: Kind, address: Address) => {
    const account = world.store.get(address);
    builder.take(kind, address, account === undefined ? null : { ...account, address, slot }, slot);
  };
  for (const { address } of world.markets) take('market', address);
  for (const { address } of world.reserves) take('reserve', address);
  for (const { address, createdSlot } of world.vaults) if (createdSlot <= slot) take('vault', address);
  for (const [address, kind] of linked) if (kind === 'farm' || kind === 'oracle') take(kind, address);
  for (let unread = builder.unread(); unread.length > 0; unread = builder.unread()) {
    for (const { kind, address } of unread) {
      take(kind, address);
      linked.set(address, kind);
    }
  }
  const timestamp = BigInt(timeOf(slot));
  const view = builder.view({
    id: 'past-0',
    number: 0,
    slot,
    timestamp,
    slotDurationMs: Rational.of(400n),
    builtAtMs: Number(timestamp) * 1_000,
    slotMin: slot,
    slotMax: slot,
    slotWhole: slot,
    torn: false,
  });
  const catalogue = worldCatalogue(world, Number(timestamp) * 1_000) as CatalogueInput;
  Valuation.of(view, parseCatalogue(catalogue, 'the embedded catalogue'));
  return view;
}
