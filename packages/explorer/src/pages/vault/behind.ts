import { Decimal } from '@sluice/client';
import { part } from '../../format/numbers.ts';
import { placeNames } from './place-names.ts';
import type { VaultRisk } from './vault-documents.ts';

export type Grouping = 'kind' | 'token';

type Kind = VaultRisk['exposures'][number]['kind'];

interface Token {
  readonly symbol: string;
  readonly mint: string;
}

/** A part of the tokens of a vault. */
interface Part {
  readonly kind: Kind;
  readonly mint: string | null;
  /** Of the token of `mint`. */
  readonly symbol: string;
  readonly share: Decimal;
}

/** A group of parts, as the list and the colours of the map have it. */
export interface BehindGroup {
  readonly key: string;
  readonly name: string;
  /** The name in a few letters, for the map. */
  readonly label: string;
  readonly color: string;
  readonly share: Decimal;
  /** The largest of its parts. Empty where the name says it all. */
  readonly detail: string;
}

type Appearance = Pick<BehindGroup, 'key' | 'name' | 'label' | 'color'>;

export interface BehindCell {
  readonly key: string;
  readonly name: string;
  readonly label: string;
  readonly color: string;
  readonly share: Decimal;
}

/** A reserve that the vault lends to, or the vault itself. */
export interface BehindPlace {
  readonly key: string;
  readonly name: string;
  readonly share: Decimal;
  /** Largest first. They add up to `share`. */
  readonly cells: readonly BehindCell[];
}

export interface Behind {
  readonly groups: readonly BehindGroup[];
  readonly places: readonly BehindPlace[];
}

const ONE = Decimal.of('1');
/** Digits of a quotient: far more than a picture shows. */
const PLACES = 18;
const NAMED = 6;
const LISTED = 3;
const REST = { key: 'rest', name: 'Other tokens', label: 'Other', color: '--series-7' } as const;

/** What stands behind the tokens of a vault, for the map by place and the list by kind or token, in the same colours. */
export function behindOf(risk: VaultRisk, token: Token, grouping: Grouping): Behind {
  const exposures = risk.exposures.map(
    ({ kind, mint, share, token: of }): Part => ({
      kind,
      mint,
      symbol: of?.symbol ?? 'unknown token',
      share: Decimal.of(share),
    }),
  );
  const groups = groupsOf(exposures, token, grouping);
  const byKey = new Map(groups.map((group) => [group.key, group]));
  const groupOf = (one: Part): Appearance =>
    byKey.get(keyOf(one, token, grouping)) ?? byKey.get(REST.key) ?? REST;
  const names = placeNames(risk.reserves);
  const reserves = risk.reserves.map(
    (reserve): BehindPlace => ({
      key: reserve.reserveAddress,
      name: names.get(reserve.reserveAddress) ?? reserve.reserveAddress,
      share: Decimal.of(reserve.share),
      cells: cellsOf(partsOf(reserve, token), groupOf),
    }),
  );
  const idle = exposures.filter(({ kind }) => kind === 'IDLE');
  const places = [
    ...reserves,
    ...(idle.length === 0
      ? []
      : [{ key: 'idle', name: 'In the vault', share: sumOf(idle), cells: cellsOf(idle, groupOf) }]),
  ];
  return { groups, places: places.sort((a, b) => b.share.compare(a.share)) };
}

const sumOf = (parts: readonly { readonly share: Decimal }[]): Decimal =>
  Decimal.sum(parts.map(({ share }) => share));

/** The parts of what the vault has in one reserve: not lent, and lent by what backs its debts. */
function partsOf(reserve: VaultRisk['reserves'][number], token: Token): Part[] {
  const share = Decimal.of(reserve.share);
  const lent = Decimal.min(ONE, Decimal.of(reserve.utilization)).times(share);
  const free: Part = { kind: 'LIQUIDITY', mint: token.mint, symbol: token.symbol, share: share.minus(lent) };
  const unknown = (of: Decimal): Part => ({ kind: 'UNKNOWN', mint: null, symbol: '', share: of });
  const valued = Decimal.of(reserve.debtUsd);
  const borrowed = reserve.reserve?.borrowed.usd ?? null;
  const isPartial = reserve.unvaluedLoans > 0;
  if (valued.isZero || (isPartial && borrowed === null)) return [free, unknown(lent)];
  // Debts of loans that cannot be valued are what is missing from everything that borrowers owe.
  const missing =
    isPartial && borrowed !== null
      ? Decimal.max(Decimal.ZERO, Decimal.of(borrowed).minus(valued))
      : Decimal.ZERO;
  const known = lent.times(valued).dividedBy(valued.plus(missing), PLACES);
  return [
    free,
    unknown(lent.minus(known)),
    {
      kind: 'UNSECURED',
      mint: null,
      symbol: '',
      share: known.times(Decimal.of(reserve.unsecuredUsd)).dividedBy(valued, PLACES),
    },
    ...reserve.backing.map(
      ({ share: of, reserve: by }): Part => ({
        kind: by === null ? 'UNKNOWN' : 'COLLATERAL',
        mint: by?.token.mint ?? null,
        symbol: by?.token.symbol ?? '',
        share: known.times(Decimal.of(of)),
      }),
    ),
  ];
}

function cellsOf(parts: readonly Part[], groupOf: (one: Part) => Appearance): BehindCell[] {
  const cells = new Map<string, BehindCell>();
  for (const one of parts) {
    if (one.share.isZero) continue;
    const { key, name, label, color } = groupOf(one);
    const known = cells.get(key);
    cells.set(key, {
      key,
      name,
      label,
      color,
      share: known === undefined ? one.share : known.share.plus(one.share),
    });
  }
  return [...cells.values()].sort((a, b) => b.share.compare(a.share));
}

function keyOf({ kind, mint }: Part, token: Token, grouping: Grouping): string {
  if (kind === 'UNSECURED' || kind === 'UNKNOWN') return kind;
  if (kind !== 'COLLATERAL') return 'free';
  if (grouping === 'token') return `token ${mint}`;
  return mint === token.mint ? 'same' : 'other';
}

function groupsOf(parts: readonly Part[], token: Token, grouping: Grouping): BehindGroup[] {
  const sorted = new Map<string, Part[]>();
  for (const one of parts) {
    const key = keyOf(one, token, grouping);
    sorted.set(key, [...(sorted.get(key) ?? []), one]);
  }
  const groups = [...sorted]
    .map(([key, all]) => ({ key, all, share: sumOf(all) }))
    .sort((a, b) => b.share.compare(a.share));
  const named = groups.slice(0, groups.length > NAMED + 1 ? NAMED : NAMED + 1);
  const rest = groups.slice(named.length).flatMap(({ all }) => all);
  return [
    ...named.map(({ key, all, share }, index) => ({
      key,
      ...namesOf(key, all, token),
      color: `--series-${index + 1}`,
      share,
      detail: detailOf(key, all),
    })),
    ...(rest.length === 0 ? [] : [{ ...REST, share: sumOf(rest), detail: largestOf(rest) }]),
  ];
}

function namesOf(
  key: string,
  parts: readonly Part[],
  { symbol }: Token,
): Pick<BehindGroup, 'name' | 'label'> {
  switch (key) {
    case 'free':
      return { name: 'Not lent', label: 'Not lent' };
    case 'same':
      return { name: `Lent against ${symbol}`, label: symbol };
    case 'other':
      return { name: 'Lent against other tokens', label: 'Other tokens' };
    case 'UNSECURED':
      return { name: 'Lent, no collateral left', label: 'Nothing' };
    case 'UNKNOWN':
      return { name: 'Lent, cannot be valued', label: 'Unknown' };
    default: {
      const name = parts[0]?.symbol ?? '';
      return { name, label: name };
    }
  }
}

function detailOf(key: string, parts: readonly Part[]): string {
  if (key === 'other') return largestOf(parts);
  if (key.startsWith('token ')) return 'Collateral of loans';
  if (key !== 'free') return '';
  const [first] = parts;
  return `${first?.symbol}: ${parts
    .map(({ kind, share }) => `${kind === 'IDLE' ? 'in the vault' : 'in reserves'} ${part(share).text}`)
    .join(', ')}`;
}

function largestOf(parts: readonly Part[]): string {
  const sorted = [...parts].sort((a, b) => b.share.compare(a.share));
  const shown = sorted.slice(0, LISTED).map(({ symbol, share }) => `${symbol} ${part(share).text}`);
  const more = sorted.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}
