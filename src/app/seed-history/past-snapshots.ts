import type { StoredAccount } from '@sluice/localnet/chain';
import { generateWorld, inspectAt } from '@sluice/localnet/world/generate-world';
import { slotAt, timeOf } from '@sluice/localnet/world/time';
import type { World } from '@sluice/localnet/world/world';
import { worldCatalogue } from '@sluice/localnet/world-catalogue';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../chain/accounts/account-page.ts';
import { CatalogueBuilder } from '../../chain/view/catalogue.ts';
import { decodersFor, KINDS, type Kind } from '../../chain/view/kinds.ts';
import type { View } from '../../chain/view/view.ts';
import { type Catalogue, parseCatalogue } from '../../config/catalogue/catalogue.ts';
import type { CatalogueInput } from '../../config/catalogue/format.ts';
import { NOT_COUNTED, takeSnapshot } from '../../recorder/take-snapshot.ts';
import { Valuation } from '../../services/tokens/valuation.ts';
import type { Snapshot } from '../../store/history/samples.ts';

/** Which world, and which moments of its past to sample. */
export interface PastRequest {
  readonly scale: number;
  /** When the localnet was started, in unix milliseconds. */
  readonly presentMs: number;
  /** Unix milliseconds, ascending. */
  readonly moments: readonly number[];
  readonly programs: ProgramIds;
}

const SLOT_DURATION_MS = Rational.of(400n);

/**
 * Generates the localnet's past again and samples it at the given moments, with the same codecs, maths
 * and recorder as the present. Deterministic: the same request gives the same snapshots.
 */
export function* pastSnapshots(request: PastRequest): Generator<Snapshot, void> {
  const { scale, presentMs, moments, programs } = request;
  const views = new PastViews(programs, presentMs);
  const generation = generateWorld({ scale, now: () => presentMs }, moments.map(slotAt));
  for (const slot of generation.stops) {
    const view = inspectAt(generation.world, slot, () => views.at(generation.world, slot));
    yield takeSnapshot(view, NOT_COUNTED);
  }
}

class PastViews {
  readonly #builder: CatalogueBuilder;
  readonly #presentMs: number;
  #catalogue: Catalogue | undefined;
  readonly #taken = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as Record<
    Kind,
    Map<Address, StoredAccount | undefined>
  >;
  /** The accounts that the last View linked to; only these change between two samples. */
  #linked: readonly { readonly kind: Kind; readonly address: Address }[] = [];
  /** Whether an account was taken that may link to others not taken yet. */
  #hasNewLinks = false;

  constructor(programs: ProgramIds, presentMs: number) {
    this.#presentMs = presentMs;
    this.#builder = new CatalogueBuilder(decodersFor(programs));
  }

  at(world: World, slot: bigint): View {
    for (const { address } of world.markets) this.#take(world, 'market', address, slot);
    for (const { address } of world.reserves) this.#take(world, 'reserve', address, slot);
    for (const vault of world.vaults) {
      if (vault.createdSlot <= slot) this.#take(world, 'vault', vault.address, slot);
    }
    for (const { kind, address } of this.#linked) {
      if (kind === 'farm' || kind === 'oracle') this.#take(world, kind, address, slot);
    }
    while (this.#hasNewLinks) {
      this.#hasNewLinks = false;
      const unread = this.#builder.unread();
      for (const { kind, address } of unread) this.#take(world, kind, address, slot);
      this.#linked = [...this.#linked, ...unread];
    }
    const view = this.#builder.view({
      id: `past-${slot}`,
      number: 0,
      slot,
      timestamp: BigInt(timeOf(slot)),
      slotDurationMs: SLOT_DURATION_MS,
      builtAtMs: this.#presentMs,
      slotMin: slot,
      slotMax: slot,
      slotWhole: slot,
      torn: false,
    });
    this.#catalogue ??= parseCatalogue(
      worldCatalogue(world, this.#presentMs) as CatalogueInput,
      'the embedded catalogue',
    );
    Valuation.of(view, this.#catalogue);
    return view;
  }

  #take(world: World, kind: Kind, address: Address, slot: bigint): void {
    const account = world.store.get(address);
    const taken = this.#taken[kind];
    // The store creates a new object whenever an account changes.
    if (account !== undefined && taken.get(address) === account) return;
    // A reserve always links to the same accounts, and prices link to none.
    if (kind !== 'oracle' && (kind !== 'reserve' || !taken.has(address))) this.#hasNewLinks = true;
    taken.set(address, account);
    this.#builder.take(kind, address, account === undefined ? null : read(account, address, slot), slot);
  }
}

const read = ({ owner, data, lamports }: StoredAccount, address: Address, slot: bigint): ChainAccount => ({
  address,
  owner,
  data,
  lamports,
  slot,
});
