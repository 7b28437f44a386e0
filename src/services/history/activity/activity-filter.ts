import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { View } from '../../../chain/view/view.ts';
import type { ActivityQuery } from '../../../store/transactions/activity-sources.ts';
import type { Session } from '../../request/session.ts';
import { type RangeInput, resolveRange } from '../../request/time-range.ts';
import {
  type ActivityKind,
  type ActivityProduct,
  farmEvents,
  lendingEvents,
  queueEvents,
  vaultEvents,
} from './activity-kinds.ts';

/** Filter of a wallet's activity. Conditions that are absent or null pass everything; the others must all hold. */
export interface ActivityFilter {
  readonly kinds?: readonly ActivityKind[] | null | undefined;
  readonly products?: readonly ActivityProduct[] | null | undefined;
  /** Entries of these vaults and of their farms; with `markets`, of either. */
  readonly vaults?: readonly Address[] | null | undefined;
  /** Entries of these markets; with `vaults`, of either. */
  readonly markets?: readonly Address[] | null | undefined;
  /** Mints of tokens, of shares or of rewards. */
  readonly tokens?: readonly Address[] | null | undefined;
  readonly range?: RangeInput | null | undefined;
}

/**
 * The filter as the store reads it.
 *
 * @throws BAD_REQUEST for a range that starts after its end
 */
export function activityQuery(
  { view }: Session,
  wallet: Address,
  { kinds, products, vaults, markets, tokens, range }: ActivityFilter,
): ActivityQuery {
  const asked = kinds ?? null;
  const includes = (product: ActivityProduct) => !products || products.includes(product);
  const places = vaults || markets ? { vaults: vaults ?? [], markets: markets ?? [] } : null;
  const named = tokens ? tokensIn(view, tokens) : null;
  const { start, end } = range ? resolveRange(view, range) : {};
  return {
    wallet,
    ...(start === undefined || end === undefined ? {} : { start, end }),
    vault: includes('VAULT')
      ? { kinds: vaultEvents(asked), vaults: both(places?.vaults ?? null, named?.vaults ?? null) }
      : null,
    lending: includes('LENDING')
      ? {
          kinds: lendingEvents(asked),
          markets: places?.markets ?? null,
          reserves: named?.reserves ?? null,
        }
      : null,
    farm: includes('FARM')
      ? {
          kinds: farmEvents(asked),
          farms: places && farmsOf(view, places.vaults),
          mints: tokens ?? null,
        }
      : null,
    queue: includes('WITHDRAW_QUEUE')
      ? { kinds: queueEvents(asked), places, reserves: named?.reserves ?? null }
      : null,
    // The transaction could be of any kind and place, so only a filter by kind can leave it out.
    unread: asked === null || asked.includes('UNREAD'),
  };
}

/** The intersection of two lists, of which null has everything. */
function both(a: readonly Address[] | null, b: readonly Address[] | null): readonly Address[] | null {
  if (a === null || b === null) return a ?? b;
  return a.filter((each) => b.includes(each));
}

/** Vaults of these tokens or shares, and reserves of these tokens. */
function tokensIn(view: View, mints: readonly Address[]) {
  const vaults = mints.flatMap((mint) => {
    const ofShares = view.vaultOfShares(mint);
    return [...view.vaultsOfMint(mint), ...(ofShares === undefined ? [] : [ofShares])];
  });
  return {
    vaults: vaults.map(({ address }) => address),
    reserves: mints.flatMap((mint) => view.reservesOfMint(mint).map(({ address }) => address)),
  };
}

const farmsOf = (view: View, vaults: readonly Address[]): Address[] =>
  vaults.flatMap((vault) => {
    const farm = view.get('vault', vault)?.value.vaultFarm;
    return (farm && presentAddress(farm)) ?? [];
  });
