import { placePoint } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE, floorScaled } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import type { Address } from '@solana/kit';
import type { Moment } from '../../domain/moment.ts';
import { usedAllocations } from '../../domain/vault.ts';
import { vaultTargets } from '../../domain/vault-targets.ts';
import { withChanges } from '../account-changes.ts';
import type { Action, BuiltStep, StepContext } from '../action.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import type { VaultRequest } from '../vault/request.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import { type CuratorAccounts, curatorAccounts } from './accounts.ts';
import {
  investVaultAction,
  removeAllocationAction,
  setAllocationAction,
  setVaultConfigAction,
} from './action.ts';
import { openedVault } from './effect.ts';
import { type Investment, investmentIn } from './invest.ts';
import { changedTerms, type VaultTargetsInput } from './rebalance-targets.ts';
import { changedSettings } from './settings.ts';

/** A step towards the targets, on the accounts as the steps before it leave them. */
export interface RebalanceStep {
  readonly action: Action;
  readonly built: BuiltStep;
  /** Null for a change of the vault's settings. */
  readonly reserve: Address | null;
}

/** A reason why a target is not reached, or not wholly. */
export interface RebalanceObstacle extends Pick<BuildWarning, 'code' | 'message'> {
  readonly reserve: Address;
  /** Base units of the vault's token that are not moved for it. */
  readonly tokens: bigint;
}

export interface Rebalance {
  readonly steps: readonly RebalanceStep[];
  readonly obstacles: readonly RebalanceObstacle[];
  readonly before: CuratorAccounts;
  readonly after: CuratorAccounts;
}

type Context = Omit<StepContext, 'fresh'>;

/** Limits of the lending program that can apply to one move: liquidity, then the outflow of the interval. */
const MOST_LIMITS = 2;

/**
 * The steps that reach the targets of a vault: first the terms of its reserves, then what leaves reserves, since it frees
 * tokens, then what enters others, and the removals last. A move that the programs would refuse is left out and named; one
 * that they accept in part is cut.
 *
 * @returns a computation that yields the work of each move before it is planned
 * @throws NOT_VAULT_ADMIN, and BUILD_REFUSED for terms that the vault cannot have
 */
export function* planRebalance(
  known: KnownAccounts,
  request: VaultRequest,
  wanted: VaultTargetsInput,
  read: ReadAccounts,
  context: Context,
): Generator<number, Rebalance> {
  const draft = new Draft(known, request, read, context);
  const before = draft.accounts;
  yield* draft.setTerms(wanted);
  yield* draft.invest('out of reserve');
  yield* draft.invest('into reserve');
  yield* draft.remove(wanted);
  const { steps, obstacles, accounts: after } = draft;
  return { steps, obstacles, before, after };
}

/** A plan under construction. */
class Draft {
  readonly steps: RebalanceStep[] = [];
  readonly obstacles: RebalanceObstacle[] = [];
  readonly #known: KnownAccounts;
  readonly #request: VaultRequest;
  readonly #context: Context;
  #read: ReadAccounts;
  #accounts: CuratorAccounts;

  constructor(known: KnownAccounts, request: VaultRequest, read: ReadAccounts, context: Context) {
    this.#known = known;
    this.#request = request;
    this.#context = context;
    this.#read = read;
    this.#accounts = curatorAccounts(request, read, context);
  }

  /** As the steps so far leave them. */
  get accounts(): CuratorAccounts {
    return this.#accounts;
  }

  /** Work of a move: each looks at all reserves of the vault. */
  get #work(): number {
    return Math.max(1, this.#accounts.reserves.size);
  }

  *setTerms({ targets, unallocatedWeight, unallocatedCap }: VaultTargetsInput): Generator<number, void> {
    const idle = {
      ...(unallocatedWeight === undefined ? {} : { unallocatedWeight }),
      ...(unallocatedCap === undefined ? {} : { unallocatedCap }),
    };
    if (changedSettings(this.#accounts, idle).length > 0) {
      this.#take(null, setVaultConfigAction(this.#known, this.#request, idle));
    }
    for (const target of targets) {
      const { reserve } = target;
      const terms = changedTerms(this.#accounts.vault, target);
      if (terms === null) continue;
      yield this.#work;
      this.#take(reserve, setAllocationAction(this.#known, { ...this.#request, reserve, ...terms }));
    }
  }

  /** The investments of one direction, the largest first. */
  *invest(direction: 'out of reserve' | 'into reserve'): Generator<number, void> {
    for (const { reserve, gapSf } of gaps(this.#accounts, this.#context.moment)) {
      const leaves = gapSf < 0n;
      if (gapSf !== 0n && leaves === (direction === 'out of reserve')) {
        yield this.#work;
        this.#move(reserve, leaves ? -gapSf : gapSf);
      }
    }
  }

  *remove({ targets }: VaultTargetsInput): Generator<number, void> {
    for (const { reserve, remove } of targets) {
      if (remove !== true) continue;
      yield this.#work;
      this.#take(reserve, removeAllocationAction(this.#known, { ...this.#request, reserve }));
    }
  }

  #move(reserve: Address, gapSf: bigint): void {
    const asked = floorScaled(gapSf);
    let most: bigint | null = null;
    let investment = this.#investment(reserve, most);
    const { direction, refusal } = investment.effect;
    const isTooSmall = refusal === 'InvestAmountBelowMinimum';
    if (isTooSmall && gapSf < FRACTION_ONE) return;
    const reasons: BuildWarning[] = [];
    const shortage = direction === 'into reserve' ? this.#idleShortage(asked) : null;
    if (shortage !== null) reasons.push(shortage);
    if (isTooSmall && shortage !== null) {
      this.#stop(reserve, shortage, asked);
      return;
    }
    for (let count = 0; investment.limit !== null && count < MOST_LIMITS; count += 1) {
      reasons.push(investment.limit.warning);
      most = investment.limit.most;
      if (most === 0n) break;
      investment = this.#investment(reserve, most);
    }
    const maxAmount = most === null ? {} : { maxAmount: { baseUnits: most } };
    const isTaken =
      most !== 0n &&
      this.#take(reserve, investVaultAction(this.#known, { ...this.#request, reserve, ...maxAmount }), asked);
    const left = isTaken ? asked - lesser(investment.effect.liquidity, asked) : asked;
    for (const reason of reasons) this.#stop(reserve, reason, left);
  }

  #investment(reserve: Address, most: bigint | null): Investment {
    return investmentIn(this.#accounts, this.#read, reserve, most, this.#context.moment);
  }

  /** A shortage of idle tokens, for a move into a reserve; null when they suffice. */
  #idleShortage(asked: bigint): BuildWarning | null {
    const { symbol } = this.#accounts;
    const { vault } = openedVault(this.#accounts, this.#context.moment);
    const missing = asked - vault.tokenAvailable;
    // Each move before it was rounded, by a base unit at most.
    if (missing <= vault.minInvestAmount || missing <= BigInt(this.steps.length)) return null;
    const inTokens = (units: bigint) => `${placePoint(units, Number(vault.tokenMintDecimals))} ${symbol}`;
    const message = `The vault has only ${inTokens(vault.tokenAvailable)} idle, and the target asks for ${inTokens(asked)}. Plan again when the other reserves have paid the rest.`;
    return warning('LIQUIDITY_TOO_LOW', message);
  }

  /** Adds a step, unless the programs would refuse it. Returns whether it was added. */
  #take(reserve: Address | null, action: Action, tokens = 0n): boolean {
    const built = action.build(this.#read, { ...this.#context, fresh: new Set() });
    const errors = built.preview().warnings.filter(({ level }) => level === 'ERROR');
    if (errors.length > 0 && reserve !== null) {
      for (const error of errors) this.#stop(reserve, error, tokens);
      return false;
    }
    this.steps.push({ action, built, reserve });
    this.#read = withChanges(this.#read, built.after());
    this.#accounts = curatorAccounts(this.#request, this.#read, this.#context);
    return true;
  }

  /** Names an obstacle, once for each reserve. */
  #stop(reserve: Address, { code, message }: BuildWarning, tokens: bigint): void {
    if (this.obstacles.some((each) => each.reserve === reserve && each.code === code)) return;
    this.obstacles.push({ reserve, code, message, tokens });
  }
}

/** The distance of each reserve from its target, scaled by 2^60, the largest first; negative where tokens must leave. */
function gaps(
  accounts: CuratorAccounts,
  at: Moment,
): { readonly reserve: Address; readonly gapSf: bigint }[] {
  const { vault, reserves } = openedVault(accounts, at);
  const { investedSf, targetSf } = vaultTargets(vault, (reserve) => reserves.get(reserve));
  const size = (gapSf: bigint) => (gapSf < 0n ? -gapSf : gapSf);
  return usedAllocations(vault)
    .map(({ reserve }) => ({
      reserve,
      gapSf: (targetSf.get(reserve) ?? 0n) - (investedSf.get(reserve) ?? 0n),
    }))
    .sort((a, b) => Number(size(b.gapSf) > size(a.gapSf)) - Number(size(b.gapSf) < size(a.gapSf)));
}
