import { shortAddress } from '../../format/address.ts';

interface Place {
  readonly reserveAddress: string;
  readonly reserve: { readonly market: { readonly name: string } | null } | null;
}

/**
 * Short names of the places where a vault lends, for charts and lists: that of the market without the word itself, and the
 * start of the reserve's address where two markets have the same name. By address of the reserve.
 */
export function placeNames(places: readonly Place[]): ReadonlyMap<string, string> {
  const names = new Map(
    places.map(({ reserveAddress, reserve }) => [
      reserveAddress,
      (reserve?.market?.name ?? '').replace(/ market$/i, ''),
    ]),
  );
  const all = [...names.values()];
  return new Map(
    [...names].map(([address, name]) => {
      if (name === '') return [address, shortAddress(address)];
      const isShared = all.filter((other) => other === name).length > 1;
      return [address, isShared ? `${name} ${address.slice(0, 4)}` : name];
    }),
  );
}
