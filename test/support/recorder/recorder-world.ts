import { worldCatalogue } from '@sluice/localnet/world-catalogue';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { TestChain } from '../../../packages/localnet/test/support/chain/test-world.ts';
import { CatalogueBuilder } from '../../../src/chain/view/catalogue.ts';
import { decodersFor, type Kind } from '../../../src/chain/view/kinds.ts';
import type { View } from '../../../src/chain/view/view.ts';
import { type Catalogue, parseCatalogue } from '../../../src/config/catalogue/catalogue.ts';
import type { CatalogueInput } from '../../../src/config/catalogue/format.ts';
import { usedAllocations } from '../../../src/domain/vault.ts';
import { Valuation } from '../../../src/services/tokens/valuation.ts';

/** A small part of the generated world with a View for any moment, so that a recorder writes quickly. */
export interface RecorderWorld {
  readonly catalogue: Catalogue;
  viewAt(moment: Date): View;
}

const VAULTS = 2;

/** @param allReserves whether to have every reserve, not just those of the vaults */
export function recorderWorld(allReserves = false): RecorderWorld {
  const localChain = new TestChain();
  const { world } = localChain.worldChain;
  const builder = new CatalogueBuilder(decodersFor(MAINNET_PROGRAMS));
  const { slot: firstSlot } = localChain;
  const take = (kind: Kind, address: Address) => {
    const account = localChain.account(address);
    builder.take(
      kind,
      address,
      account === undefined ? null : { ...account, address, slot: firstSlot },
      firstSlot,
    );
  };
  for (const { address } of world.markets.slice(0, 1)) take('market', address);
  for (const { address } of world.vaults.slice(0, VAULTS)) take('vault', address);
  const reserves = allReserves ? world.reserves.map(({ address }) => address) : reservesOf(builder);
  for (const address of reserves) take('reserve', address);
  for (let unread = builder.unread(); unread.length > 0; unread = builder.unread()) {
    for (const { kind, address } of unread) take(kind, address);
  }
  const beganMs = Number(localChain.blockTime(firstSlot) ?? 0) * 1_000;
  const catalogue = parseCatalogue(
    worldCatalogue(world, beganMs) as CatalogueInput,
    'the embedded catalogue',
  );
  return {
    catalogue,
    viewAt(moment) {
      const view = builder.view(momentOf(moment, firstSlot, beganMs));
      Valuation.of(view, catalogue);
      return view;
    },
  };
}

/** The reserves of the vaults, without which the vaults have no value to record. */
function reservesOf(builder: CatalogueBuilder): Address[] {
  const vaults = builder.view(momentOf(new Date(0), 0n, 0)).all('vault');
  return [...vaults.values()].flatMap(({ value }) => usedAllocations(value).map(({ reserve }) => reserve));
}

function momentOf(moment: Date, firstSlot: bigint, beganMs: number) {
  const slot = firstSlot + BigInt(Math.floor((moment.getTime() - beganMs) / 400));
  return {
    id: 'recorder-0',
    number: 0,
    slot,
    timestamp: BigInt(Math.floor(moment.getTime() / 1_000)),
    slotDurationMs: Rational.of(400n),
    builtAtMs: moment.getTime(),
    slotMin: slot,
    slotMax: slot,
    slotWhole: slot,
    torn: false,
  };
}
