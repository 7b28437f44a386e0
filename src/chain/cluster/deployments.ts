import { PROGRAM_NAMES, type ProgramName, runsAtLeast } from '@sluice/protocol/deployments';
import { deadlineSignal } from '../../node/deadline.ts';
import { judgeDeployment, type ProgramDeployment } from './deployment.ts';
import { type DeploymentSources, readDeployments } from './read-deployments.ts';

export interface DeploymentsOptions extends DeploymentSources {
  /** Pause between two reads; 0 reads nothing. */
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** Called when the first read finds a program newer or older than the checked one, and when a program changes later. */
  readonly onRedeployed?: ((deployment: ProgramDeployment) => void) | undefined;
  readonly onFailure?: ((error: unknown) => void) | undefined;
  readonly random?: () => number;
}

/** Pause after a failed read, if that is shorter. */
const RETRY_MS = 60_000;
/** Spreads the reads of gateways that started together: up to a tenth later. */
const JITTER = 0.1;

/** The deployed programs, read in the background. A read that fails leaves what was known. */
export class Deployments {
  readonly #options: DeploymentsOptions;
  readonly #stop = new AbortController();
  #current: readonly ProgramDeployment[];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: DeploymentsOptions) {
    this.#options = options;
    const { programs, cluster } = options;
    this.#current = PROGRAM_NAMES.map((program) =>
      judgeDeployment({ program, address: programs[program], deployedSlot: null, deployedAt: null }, cluster),
    );
  }

  start(): void {
    if (this.#options.intervalMs > 0) this.#read();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    await this.#running;
  }

  all(): readonly ProgramDeployment[] {
    return this.#current;
  }

  /** Resolves when the read under way has ended, whether or not it succeeded. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** The version of a program that runs here; null when it is unknown. */
  version(program: ProgramName): string | null {
    return this.#of(program)?.version ?? null;
  }

  /** Whether a program runs a version or a later one; null when that is unknown. */
  runsAtLeast(program: ProgramName, version: string): boolean | null {
    const deployment = this.#of(program);
    if (deployment === undefined || deployment.deployedSlot === null) return null;
    return runsAtLeast(deployment.address, deployment.deployedSlot, version, this.#options.cluster);
  }

  #of(program: ProgramName): ProgramDeployment | undefined {
    return this.#current.find((each) => each.program === program);
  }

  #read(): void {
    this.#running = this.#readOnce().then((pauseMs) => {
      if (this.#stop.signal.aborted) return;
      this.#timer = setTimeout(() => this.#read(), pauseMs);
      this.#timer.unref();
    });
  }

  /** Returns the pause before the next read. */
  async #readOnce(): Promise<number> {
    const { intervalMs, timeoutMs, onFailure, random = Math.random } = this.#options;
    using deadline = deadlineSignal(timeoutMs, 'Reading the deployed programs', this.#stop.signal);
    try {
      this.#adopt(await readDeployments(this.#options, deadline.signal));
      return intervalMs * (1 + random() * JITTER);
    } catch (error) {
      if (!this.#stop.signal.aborted) onFailure?.(error);
      return Math.min(intervalMs, RETRY_MS);
    }
  }

  /** A program whose account could not be found keeps its last known deployment. */
  #adopt(read: readonly ProgramDeployment[]): void {
    const before = this.#current;
    this.#current = read.map((now, i) => (now.deployedSlot === null ? (before[i] ?? now) : now));
    this.#current.forEach((now, i) => {
      const last = before[i]?.deployedSlot ?? null;
      if (now.deployedSlot === last) return;
      if (last !== null || now.warning !== null) this.#options.onRedeployed?.(now);
    });
  }
}
