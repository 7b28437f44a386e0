import type { VaultRebalance } from '@sluice/client';
import { U64_MOST } from '../tasks/curated-vault.ts';
import { readCap, readWhole, type TokenUnit } from '../tasks/read.ts';

/** A reserve of the vault, or one that it is to get. */
export interface TargetReserve {
  readonly address: string;
  readonly name: string;
  /** Null for a reserve that the vault does not use yet. */
  readonly present: { readonly weight: string; readonly cap: string | null } | null;
}

/** The fields of a reserve, as typed. */
export interface TypedTarget {
  readonly weight: string;
  /** Whole tokens, or `none`. Empty to leave it. */
  readonly cap: string;
  readonly remove: boolean;
}

/** Fields that were changed, by reserve. */
export interface TypedTargets {
  readonly reserves: Readonly<Record<string, TypedTarget>>;
  /** Weight of idle tokens. */
  readonly idle: string;
}

export type Target = VaultRebalance['targets'][number];

export interface VaultTargets {
  readonly targets: readonly Target[];
  /** Undefined to leave it. */
  readonly unallocatedWeight: string | undefined;
}

export interface ReadTargets {
  /** Null while a field is malformed. */
  readonly wanted: VaultTargets | null;
  /** By reserve, and `idle`. */
  readonly mistakes: Readonly<Record<string, string>>;
}

export const IDLE = 'idle';

const readWeight = readWhole(U64_MOST);

/** The fields of a reserve before anything is typed. */
export const initialTarget = ({ present }: TargetReserve): TypedTarget => ({
  weight: present?.weight ?? '0',
  cap: '',
  remove: false,
});

/** The terms that differ from the present ones. */
export function readTargets(
  reserves: readonly TargetReserve[],
  typed: TypedTargets,
  idleNow: string,
  unit: TokenUnit,
): ReadTargets {
  const mistakes: Record<string, string> = {};
  const targets = reserves.flatMap((reserve): readonly Target[] => {
    const { weight, cap, remove } = typed.reserves[reserve.address] ?? initialTarget(reserve);
    if (remove) return [{ reserve: reserve.address, remove }];
    const [weightRead, capRead] = [readWeight(weight), readCap(unit)(cap)];
    for (const read of [weightRead, capRead])
      if (read.kind === 'mistake') mistakes[reserve.address] ??= read.message;
    const changed = weightRead.kind === 'value' && weightRead.value !== reserve.present?.weight;
    const target = {
      ...(changed ? { weight: weightRead.value } : {}),
      ...(capRead.kind === 'value' ? { cap: capRead.value } : {}),
    };
    return Object.keys(target).length === 0 ? [] : [{ reserve: reserve.address, ...target }];
  });
  const idle = readWeight(typed.idle);
  if (idle.kind === 'mistake') mistakes[IDLE] = idle.message;
  if (Object.keys(mistakes).length > 0) return { wanted: null, mistakes };
  const unallocatedWeight = idle.kind === 'value' && idle.value !== idleNow ? idle.value : undefined;
  return { wanted: { targets, unallocatedWeight }, mistakes };
}

/** Whether only the admin may reach the targets: anyone may invest towards the present ones. */
export const changesTerms = ({ targets, unallocatedWeight }: VaultTargets): boolean =>
  targets.length > 0 || unallocatedWeight !== undefined;

interface Admins {
  readonly admin: string;
  readonly allocationAdmin: string;
}

/** Whether a wallet may reach the targets. The allocation admin may change weights and caps of reserves of the vault. */
export function maySign(
  { admin, allocationAdmin }: Admins,
  reserves: readonly Pick<TargetReserve, 'address'>[],
  wanted: VaultTargets,
  wallet: string,
): boolean {
  if (wallet === admin || !changesTerms(wanted)) return true;
  const used = new Set(reserves.map(({ address }) => address));
  return (
    wallet === allocationAdmin &&
    wanted.unallocatedWeight === undefined &&
    wanted.targets.every(({ reserve, remove }) => used.has(reserve) && remove !== true)
  );
}

export interface BacktestWeights {
  readonly weights: readonly { readonly reserve: string; readonly weight: string }[];
  readonly unallocatedWeight: string;
}

/** The weights of all reserves that get something. A backtest gives nothing to a reserve that is not named. */
export function backtestWeights(
  reserves: readonly TargetReserve[],
  { targets, unallocatedWeight }: VaultTargets,
  idleNow: string,
): BacktestWeights {
  const changed = new Map(targets.map((target) => [target.reserve, target]));
  const weights = reserves.flatMap(({ address, present }) => {
    const target = changed.get(address);
    const weight = target?.remove === true ? '0' : (target?.weight ?? present?.weight ?? '0');
    return weight === '0' ? [] : [{ reserve: address, weight }];
  });
  return { weights, unallocatedWeight: unallocatedWeight ?? idleNow };
}
