import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { shortAddress } from '../format/address.ts';
import { rate } from '../format/numbers.ts';
import { PlaceMark } from '../ui/mark.tsx';
import { MixBar } from '../ui/mix-bar.tsx';
import { Badge } from '../ui/notice.tsx';
import { Absent, Part } from '../ui/value.tsx';
import { Who } from './who.tsx';

/** A vault may have no name. */
export const vaultName = ({ name, address }: { readonly name: string; readonly address: string }): string =>
  name === '' ? shortAddress(address) : name;

export interface NamedVault {
  readonly address: string;
  readonly name: string;
  readonly nameVerified: boolean;
  readonly nameResembles: { readonly name: string | null } | null;
  readonly curator: { readonly address: string; readonly name: string | null };
  readonly token: { readonly symbol: string };
}

/** Mark, name and curator. A name that somebody else could have chosen says so. */
export function VaultName({ vault }: { readonly vault: NamedVault }): ReactNode {
  const { nameResembles, nameVerified, curator, token } = vault;
  return (
    <span className="name">
      <PlaceMark name={vaultName(vault)} token={token.symbol} />
      <span>
        <span className="name-text">{vaultName(vault)}</span>
        <span className="line2">
          {nameResembles === null ? (
            <Who curator={curator} verified={nameVerified} />
          ) : (
            <Badge tone="danger">Not run by {nameResembles.name ?? 'its namesake'}</Badge>
          )}
        </span>
      </span>
    </span>
  );
}

export interface Yields {
  readonly total: string;
  readonly base: string;
}

/** Interest and rewards are never one bare number: rewards end. */
export function YieldMix({ apy, why }: { readonly apy: Yields | null; readonly why: string }): ReactNode {
  if (apy === null) return <Absent why={why} />;
  const interest = Decimal.of(apy.base);
  const rewards = Decimal.of(apy.total).minus(interest);
  return (
    <span className="yield-mix">
      <MixBar
        thin
        parts={[
          { key: 'interest', color: '--series-1', value: interest.toString() },
          { key: 'rewards', color: '--series-2', value: rewards.toString() },
        ]}
      />
      <span className="line2">
        {rate(interest).text} interest · {rewards.isZero ? 'no rewards' : `${rate(rewards).text} rewards`}
      </span>
    </span>
  );
}

interface Leaving {
  readonly totalValue: { readonly amount: string } | null;
  readonly withdrawableNow: { readonly amount: string } | null;
}

/** The part of a vault that could leave at once, as a fraction; null when it is not known or the vault is empty. */
export function leavingNow({ totalValue, withdrawableNow }: Leaving): string | null {
  if (totalValue === null || withdrawableNow === null) return null;
  const all = Decimal.of(totalValue.amount);
  if (all.isZero) return null;
  return Decimal.min(Decimal.of('1'), Decimal.of(withdrawableNow.amount).dividedBy(all, 6)).toString();
}

export function CanLeave({ vault, why }: { readonly vault: Leaving; readonly why: string }): ReactNode {
  const empty = vault.totalValue !== null && Decimal.of(vault.totalValue.amount).isZero;
  return (
    <Part whole derived value={leavingNow(vault)} absent={empty ? 'The vault is empty' : why} none={empty} />
  );
}
