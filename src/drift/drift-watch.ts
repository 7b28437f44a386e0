import type { Address } from '@solana/kit';
import type { Chain } from '../chain/chain.ts';
import type { View } from '../chain/view/view.ts';
import type { Catalogue } from '../config/catalogue/catalogue.ts';
import { deadlineSignal } from '../node/deadline.ts';
import { Valuation } from '../services/tokens/valuation.ts';
import { compareObligation } from './compare-obligation.ts';
import { compareReserve } from './compare-reserve.ts';
import { compareVault } from './compare-vault.ts';
import { type Comparison, DRIFT_KINDS, type DriftKind, exceeds } from './comparison.ts';

/** A difference above its tolerance. */
export interface DriftAlarm {
  readonly kind: DriftKind;
  readonly address: Address;
  readonly field: string;
  readonly relative: number;
}

export interface DriftKindState {
  readonly compared: number;
  /** The largest difference; 0 when nothing was compared. */
  readonly relative: number;
  readonly alarms: number;
}

/** The result of the latest comparison with the chain. */
export interface DriftState {
  /** Null before the first comparison. */
  readonly checkedAt: string | null;
  readonly kinds: { readonly [K in DriftKind]: DriftKindState };
  /** The largest differences. */
  readonly alarms: readonly DriftAlarm[];
}

export interface DriftWatchOptions {
  readonly chain: Chain;
  readonly catalogue: Catalogue;
  readonly intervalMs: number;
  /** Called after each check that found differences above tolerance. */
  readonly onAlarm: (alarms: readonly DriftAlarm[]) => void;
  readonly onFailure: (error: unknown) => void;
}

const FIRST_CHECK_MS = 60_000;
/** Obligations compared per check. */
const SAMPLE = 40;
const MAX_ALARMS = 10;
const CHECK_TIMEOUT_MS = 60_000;
const NOTHING_COMPARED: DriftKindState = { compared: 0, relative: 0, alarms: 0 };

/** Periodically compares our numbers with those stored on chain. */
export class DriftWatch {
  readonly #options: DriftWatchOptions;
  readonly #stop = new AbortController();
  #compared: readonly Comparison[] = [];
  #checkedAt: Date | null = null;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: DriftWatchOptions) {
    this.#options = options;
  }

  /** Delays the first check so that it does not compete with start-up. */
  start(): void {
    this.#schedule(Math.min(this.#options.intervalMs, FIRST_CHECK_MS));
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    await this.#running;
  }

  /** Runs one check. @throws errors of the RPC */
  async check(signal: AbortSignal): Promise<void> {
    const { chain, catalogue, onAlarm } = this.#options;
    const view = chain.views.newest;
    if (view === undefined) return;
    const compared = [...vaultsOf(view, catalogue), ...(await this.#obligations(view, signal))];
    this.#compared = compared;
    this.#checkedAt = new Date();
    const alarms = worst(compared);
    if (alarms.length > 0) onAlarm(alarms);
  }

  state(): DriftState {
    const kinds = Object.fromEntries(
      DRIFT_KINDS.map((kind) => [kind, kindState(this.#compared.filter((each) => each.kind === kind))]),
    ) as DriftState['kinds'];
    return {
      checkedAt: this.#checkedAt?.toISOString() ?? null,
      kinds,
      alarms: worst(this.#compared),
    };
  }

  #schedule(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#checkWithTimeout().then(() => {
        if (!this.#stop.signal.aborted) this.#schedule(this.#options.intervalMs);
      });
    }, delayMs);
    this.#timer.unref();
  }

  async #checkWithTimeout(): Promise<void> {
    using deadline = deadlineSignal(CHECK_TIMEOUT_MS, 'Comparing with the chain', this.#stop.signal);
    try {
      await this.check(deadline.signal);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#options.onFailure(error);
    }
  }

  async #obligations(view: View, signal: AbortSignal): Promise<Comparison[]> {
    const { obligations, reserves } = await this.#options.chain.refreshedObligations(SAMPLE, signal);
    const marketOf = ({ lendingMarket }: { readonly lendingMarket: Address }) =>
      view.get('market', lendingMarket)?.value;
    return [
      ...obligations.flatMap(({ address, value }) => {
        const market = marketOf(value);
        return market === undefined
          ? []
          : compareObligation(address, value, market, (each) => reserves.get(each)?.value);
      }),
      // The View is a little older than these reads.
      ...[...reserves].flatMap(([address, after]) => {
        const [before, market] = [view.get('reserve', address), marketOf(after.value)];
        return before === undefined || market === undefined
          ? []
          : compareReserve(address, before, after, market);
      }),
    ];
  }
}

function vaultsOf(view: View, catalogue: Catalogue): Comparison[] {
  const valuation = Valuation.of(view, catalogue);
  return [...view.all('vault').values()].flatMap((vault) => {
    const holdings = valuation.holdings(vault);
    return (holdings && compareVault(vault.address, vault.value, holdings, view.moment)) ?? [];
  });
}

function kindState(compared: readonly Comparison[]): DriftKindState {
  if (compared.length === 0) return NOTHING_COMPARED;
  return {
    compared: compared.length,
    relative: Math.max(...compared.map(({ relative }) => relative)),
    alarms: compared.filter(exceeds).length,
  };
}

function worst(compared: readonly Comparison[]): DriftAlarm[] {
  return compared
    .filter(exceeds)
    .sort((a, b) => b.relative - a.relative)
    .slice(0, MAX_ALARMS);
}
