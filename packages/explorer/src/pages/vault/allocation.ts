import { Decimal } from '@sluice/client';
import { U64_MOST } from '../../act/tasks/curated-vault.ts';
import { shortAddress } from '../../format/address.ts';
import { part } from '../../format/numbers.ts';
import type { VaultDetail } from './vault-documents.ts';

interface Amount {
  readonly amount: string;
  readonly usd: string | null;
  readonly baseUnits: string;
}

/** A part of a vault: a reserve that it lends to, or the tokens that it holds. */
export interface AllocationRow {
  /** Null for the tokens that are not invested. */
  readonly reserveAddress: string | null;
  /** Position among the allocations, for the path of an error. */
  readonly index: number;
  readonly reserve: VaultDetail['allocations'][number]['reserve'];
  /** Fractions of the vault. */
  readonly target: string;
  /** Null when a reserve of the vault cannot be read. */
  readonly actual: string | null;
  /** Null when the reserve cannot be read. */
  readonly amount: Amount | null;
  readonly cap: Pick<Amount, 'amount' | 'baseUnits'>;
}

type Allocated = Pick<VaultDetail, 'allocations' | 'unallocatedShare' | 'idle' | 'token'> & {
  readonly state: Pick<VaultDetail['state'], 'unallocatedTokensCap'>;
};

/** All parts of a vault, the idle one last. The targets add up to 1; so do the actual parts when they are known. */
export function allocationRows({
  allocations,
  unallocatedShare,
  idle,
  token,
  state,
}: Allocated): AllocationRow[] {
  const wanted = Decimal.sum(allocations.map(({ targetShare }) => Decimal.of(targetShare)));
  const capUnits = state.unallocatedTokensCap;
  return [
    ...allocations.map(({ reserveAddress, reserve, targetShare, actualShare, invested, cap }, index) => ({
      reserveAddress,
      index,
      reserve,
      target: targetShare,
      actual: actualShare,
      amount: invested,
      cap,
    })),
    {
      reserveAddress: null,
      index: allocations.length,
      reserve: null,
      target: Decimal.of('1').minus(wanted).toString(),
      actual: unallocatedShare,
      amount: idle,
      cap: { baseUnits: capUnits, amount: Decimal.fromBaseUnits(capUnits, token.decimals).toString() },
    },
  ];
}

/** The actual part less the target. Null when a reserve cannot be read. */
const deviation = ({ actual, target }: Pick<AllocationRow, 'actual' | 'target'>): string | null =>
  actual === null ? null : Decimal.of(actual).minus(Decimal.of(target)).toString();

/** `6 markets, all within 1% of their targets.` */
export function targetWords(
  rows: readonly Pick<AllocationRow, 'reserveAddress' | 'actual' | 'target'>[],
  names: ReadonlyMap<string, string>,
): string {
  const places = rows.filter(({ reserveAddress }) => reserveAddress !== null);
  const count = places.length === 1 ? 'One market' : `${places.length} markets`;
  const far = places
    .flatMap(({ reserveAddress, actual, target }) => {
      const off = deviation({ actual, target });
      return off === null ? [] : [{ name: names.get(reserveAddress ?? '') ?? '', off: Decimal.of(off) }];
    })
    .sort((a, b) => b.off.abs().compare(a.off.abs()));
  const [farthest] = far;
  if (farthest === undefined) return `${count}.`;
  if (farthest.off.abs().compare(Decimal.of('0.01')) <= 0) return `${count}, all within 1% of target.`;
  const { name, off } = farthest;
  return `${count}. ${name} is the farthest from its target: ${part(off.abs()).text} ${off.isNegative ? 'below' : 'above'} it.`;
}

/** How much the vault can take before something is full. */
export interface Room {
  /** Whole tokens; 0 when it is full already. */
  readonly amount: string;
  readonly usd: string | null;
  /** The reserve that is full then; null for the vault itself. */
  readonly reserveAddress: string | null;
}

type Roomy = Pick<VaultDetail, 'allocations' | 'depositRoom' | 'totalValue'>;

/** Digits of a quotient: base units of every token are coarser. */
const ROOM_PLACES = 12;

/**
 * Deposits until the first cap is reached: that of the vault, or that of a reserve, when deposits are divided by the weights.
 * Null when there is no cap.
 */
export function roomUntilCap({ allocations, depositRoom, totalValue }: Roomy): Room | null {
  const found: { readonly amount: Decimal; readonly reserveAddress: string | null }[] = [];
  if (depositRoom !== null) found.push({ amount: Decimal.of(depositRoom.amount), reserveAddress: null });
  if (totalValue !== null) {
    for (const { reserveAddress, targetShare, cap } of allocations) {
      const share = Decimal.of(targetShare);
      if (share.isZero || BigInt(cap.baseUnits) >= U64_MOST) continue;
      const full = Decimal.of(cap.amount).dividedBy(share, ROOM_PLACES);
      found.push({
        amount: Decimal.max(Decimal.ZERO, full.minus(Decimal.of(totalValue.amount))),
        reserveAddress,
      });
    }
  }
  const [first] = found.sort((a, b) => a.amount.compare(b.amount));
  if (first === undefined) return null;
  const { amount, reserveAddress } = first;
  return { amount: amount.toString(), usd: usdOf(amount, totalValue), reserveAddress };
}

/** At the price of the value of the vault. Null without one. */
function usdOf(amount: Decimal, value: VaultDetail['totalValue']): string | null {
  if (value === null || value.usd === null) return null;
  const tokens = Decimal.of(value.amount);
  return tokens.isZero ? null : amount.times(Decimal.of(value.usd)).dividedBy(tokens, ROOM_PLACES).toString();
}

/** What a part of a vault can pay out at once: no more than its reserve has at hand. Null when it cannot be read. */
export function leavesNow({ reserveAddress, amount, reserve }: AllocationRow): {
  readonly amount: string;
  readonly usd: string | null;
} | null {
  if (amount === null) return null;
  if (reserveAddress === null) return amount;
  if (reserve === null) return null;
  const { available } = reserve;
  return Decimal.of(available.amount).compare(Decimal.of(amount.amount)) < 0 ? available : amount;
}

/** The market tells reserves of the same token apart; where it does not, the address does. */
export function allocationNames(
  rows: readonly Pick<AllocationRow, 'reserveAddress' | 'reserve'>[],
): string[] {
  const names = rows.map(({ reserveAddress, reserve }) =>
    reserveAddress === null ? 'Unallocated' : (reserve?.market?.name ?? ''),
  );
  return rows.map(({ reserveAddress }, index) => {
    const name = names[index] ?? '';
    if (reserveAddress === null) return name;
    const isShared = names.filter((other) => other === name).length > 1;
    return name === ''
      ? shortAddress(reserveAddress)
      : isShared
        ? `${name} ${shortAddress(reserveAddress)}`
        : name;
  });
}
