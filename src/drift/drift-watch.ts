import type { Address } from '@solana/kit';
import type { Chain } from '../chain/chain.ts';
import { deadlineSignal } from '../chain/rpc/deadline.ts';
import type { View } from '../chain/view.ts';
import type { ProgramIds } from '../programs/program-ids.ts';
import { Valuation } from '../services/valuation.ts';
import type { Catalogue } from '../store/catalogue/catalogue.ts';
import { compareObligation } from './compare-obligation.ts';
import { compareVault } from './compare-vault.ts';
import { type Comparison, DRIFT_KINDS, type DriftKind, exceeds } from './comparison.ts';

type ProgramName = keyof ProgramIds;

/** A difference above its tolerance. */
export interface DriftAlarm {
  readonly kind: DriftKind;
  readonly address: Address;
  readonly field: string;
  readonly relative: number;
}

/** A program that was redeployed while the gateway was running. */
export interface ProgramUpgrade {
  readonly program: ProgramName;
  readonly fromSlot: string;
  readonly toSlot: string;
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
  readonly upgrades: readonly ProgramUpgrade[];
  /** Slot of the last deployment; null for a program that cannot be upgraded. */
  readonly deployedSlots: { readonly [P in ProgramName]: string | null };
}

export interface DriftWatchOptions {
  readonly chain: Chain;
  readonly catalogue: Catalogue;
  readonly intervalMs: number;
  /** Called after each check that found differences above tolerance. */
  readonly onAlarm: (alarms: readonly DriftAlarm[]) => void;
  readonly onUpgrade: (upgrade: ProgramUpgrade) => void;
  readonly onFailure: (error: unknown) => void;
}

const FIRST_CHECK_MS = 60_000;
/** Obligations compared per check. */
const SAMPLE = 40;
const MAX_ALARMS = 10;
const CHECK_TIMEOUT_MS = 60_000;
const NOTHING_COMPARED: DriftKindState = { compared: 0, relative: 0, alarms: 0 };

/** Periodically compares our numbers with those stored on chain and detects program upgrades. */
export class DriftWatch {
  readonly #options: DriftWatchOptions;
  readonly #stop = new AbortController();
  readonly #deployed = new Map<ProgramName, bigint | null>();
  readonly #upgrades: ProgramUpgrade[] = [];
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
    this.#noteDeployed(await chain.deployedSlots(signal));
    this.#compared = compared;
    this.#checkedAt = new Date();
    const alarms = worst(compared);
    if (alarms.length > 0) onAlarm(alarms);
  }

  state(): DriftState {
    const kinds = Object.fromEntries(
      DRIFT_KINDS.map((kind) => [kind, kindState(this.#compared.filter((each) => each.kind === kind))]),
    ) as DriftState['kinds'];
    const slotOf = (program: ProgramName) => this.#deployed.get(program)?.toString() ?? null;
    return {
      checkedAt: this.#checkedAt?.toISOString() ?? null,
      kinds,
      alarms: worst(this.#compared),
      upgrades: [...this.#upgrades],
      deployedSlots: { klend: slotOf('klend'), kvault: slotOf('kvault'), farms: slotOf('farms') },
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
    return obligations.flatMap(({ address, value }) => {
      const market = view.get('market', value.lendingMarket);
      return market === undefined
        ? []
        : compareObligation(address, value, market.value, (each) => reserves.get(each));
    });
  }

  /** The first slot seen is the baseline. A program account that disappears does not count as an upgrade. */
  #noteDeployed(slots: { readonly [P in ProgramName]: bigint | null }): void {
    for (const program of ['klend', 'kvault', 'farms'] as const) {
      const [before, now] = [this.#deployed.get(program), slots[program]];
      if (now === null && before !== undefined) continue;
      this.#deployed.set(program, now);
      if (now === null || before === undefined || before === null || before === now) continue;
      const upgrade = { program, fromSlot: String(before), toSlot: String(now) };
      this.#upgrades.push(upgrade);
      this.#options.onUpgrade(upgrade);
    }
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
