import { Decimal } from '@sluice/client';
import type { OfferedVaultRow } from './home-documents.ts';

/** How vaults are ranked. */
export type Ranking = 'total' | 'interest' | 'value';

/** A vault, and what it would pay in a year on what the wallet holds of its token. */
export interface Offer {
  readonly vault: OfferedVaultRow;
  readonly yearUsd: string | null;
  readonly interestUsd: string | null;
}

export interface HeldToken {
  readonly usd: string | null;
  readonly token: { readonly mint: string };
}

interface OfferedToken {
  readonly mint: string;
  readonly symbol: string;
}

const ZERO = Decimal.of('0');

/** Tokens that vaults take, those with the most value first. */
export function tokensOf(vaults: readonly Pick<OfferedVaultRow, 'token' | 'totalValue'>[]): OfferedToken[] {
  const values = new Map<string, { readonly token: OfferedToken; value: Decimal }>();
  for (const { token, totalValue } of vaults) {
    const known = values.get(token.mint) ?? { token, value: ZERO };
    values.set(token.mint, { token, value: known.value.plus(Decimal.of(totalValue?.usd ?? '0')) });
  }
  return [...values.values()].sort((a, b) => b.value.compare(a.value)).map(({ token }) => token);
}

/**
 * Vaults in the order of the ranking. With holdings: the best one for each token that is held, the largest yearly yield
 * first. Vaults whose yield is not known are left out, and those with a name that resembles a verified one.
 *
 * @param held null: all vaults of the token
 */
export function offersFor(
  vaults: readonly OfferedVaultRow[],
  held: readonly HeldToken[] | null,
  mint: string,
  ranking: Ranking,
): readonly Offer[] {
  const ranked = vaults
    .filter(({ currentApy, nameResembles }) => currentApy !== null && nameResembles === null)
    .sort((a, b) => rankOf(b, ranking).compare(rankOf(a, ranking)));
  if (held === null) {
    return ranked
      .filter(({ token }) => token.mint === mint)
      .map((vault) => ({ vault, yearUsd: null, interestUsd: null }));
  }
  return held
    .flatMap(({ usd, token }) => {
      const vault = ranked.find((each) => each.token.mint === token.mint);
      return usd === null || vault === undefined ? [] : [offerOf(vault, usd)];
    })
    .sort((a, b) => Decimal.of(b.yearUsd ?? '0').compare(Decimal.of(a.yearUsd ?? '0')));
}

function offerOf(vault: OfferedVaultRow, usd: string): Offer {
  const { currentApy } = vault;
  const yearly = (rate: string | undefined) =>
    rate === undefined ? null : Decimal.of(usd).times(Decimal.of(rate)).toString();
  return { vault, yearUsd: yearly(currentApy?.total), interestUsd: yearly(currentApy?.base) };
}

const rankOf = ({ currentApy, totalValue }: OfferedVaultRow, ranking: Ranking): Decimal =>
  Decimal.of(
    (ranking === 'value' ? totalValue?.usd : ranking === 'interest' ? currentApy?.base : currentApy?.total) ??
      '0',
  );
