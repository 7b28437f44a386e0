import { Decimal } from '@sluice/client';
import { health, part, tokens } from '../../format/numbers.ts';
import { loanName } from '../../lending/loan-name.ts';
import type { Money } from '../../ui/currency.tsx';
import type { Mine } from './home-documents.ts';

/** A vault position or a loan, as a row. */
export interface MyRow {
  readonly key: string;
  readonly name: string;
  readonly detail: string;
  /** Symbol of the token of a vault. */
  readonly token: string | null;
  readonly route: string;
  readonly value: Money | null;
  readonly rate: string | null;
  /** In USD; undefined for a loan, null when it is not known. */
  readonly profit: string | null | undefined;
  /** Null for a position, and for a loan without debt. */
  readonly health: string | null;
}

export function myRows(wallet: Mine, address: string): readonly MyRow[] {
  const positions = (wallet.vaultPositions?.nodes ?? []).map((position): MyRow => {
    const { vault, value, stakedShares, totalShares, pnl } = position;
    const all = Decimal.of(totalShares);
    const staked = all.isZero ? null : Decimal.of(stakedShares).dividedBy(all, 4);
    const details = [
      value === null ? null : tokens(Decimal.of(value.amount), value.token.symbol).text,
      staked === null || vault?.farm === null ? null : `${part(staked, { whole: true }).text} staked`,
    ];
    return {
      key: position.id,
      name: vault === null ? 'A vault that cannot be read' : vault.name || vault.address,
      detail: details.filter((text) => text !== null).join(', '),
      token: vault?.token.symbol ?? null,
      route: vault === null ? `/wallet/${address}` : `/vaults/${vault.address}`,
      value: value === null ? null : value,
      rate: vault?.currentApy?.total ?? null,
      profit: pnl?.usd ?? null,
      health: null,
    };
  });
  const loans = (wallet.obligations?.nodes ?? []).map((loan): MyRow => {
    const place = loan.market?.name ?? 'A market that cannot be read';
    return {
      key: loan.id,
      name: loanName(loan),
      detail:
        loan.healthFactor === null ? place : `${place}, health ${health(Decimal.of(loan.healthFactor)).text}`,
      token: null,
      route: `/wallet/${address}`,
      value:
        loan.netValue === null
          ? null
          : {
              amount: loan.netValue.sol ?? '0',
              usd: loan.netValue.usd,
              sol: loan.netValue.sol,
              token: { symbol: 'SOL' },
            },
      rate: loan.netApy,
      profit: undefined,
      health: loan.borrows.length === 0 ? null : loan.healthFactor,
    };
  });
  const usdOf = ({ value }: MyRow) => Decimal.of(value?.usd ?? '0');
  return [...positions, ...loans].sort((a, b) => usdOf(b).compare(usdOf(a)));
}
