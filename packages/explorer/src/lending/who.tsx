import type { ReactNode } from 'react';
import { shortAddress } from '../format/address.ts';
import { Icon } from '../ui/icon.tsx';

export interface WhoProps {
  readonly curator: { readonly name: string | null; readonly address: string };
  readonly verified: boolean;
}

/** The curator of a vault in a line below its name: a seal when verified, the word when not. */
export function Who({ curator: { name, address }, verified }: WhoProps): ReactNode {
  return verified ? (
    <span className="who">
      <Icon name="seal" /> {name ?? shortAddress(address)}
      <span className="visually-hidden">, verified</span>
    </span>
  ) : (
    <span className="who">{name === null ? 'Curator not verified' : `${name}, not verified`}</span>
  );
}
