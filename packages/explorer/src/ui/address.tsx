import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { shortAddress } from '../format/address.ts';
import { CopyButton } from './copy-button.tsx';

export interface AddressProps {
  readonly address: string;
  /** Route of the page about it, for example `/vaults/<address>`. */
  readonly href?: string;
  /** Kind of object at the address, for the copy button, for example `market`. */
  readonly what?: string;
}

/** A shortened address with a button that copies the whole one. */
export function Address({ address, href, what = 'address' }: AddressProps): ReactNode {
  const text = (
    <>
      <span aria-hidden="true">{shortAddress(address)}</span>
      <span className="visually-hidden">{address}</span>
    </>
  );
  return (
    <span className="address">
      {href === undefined ? (
        <span title={address}>{text}</span>
      ) : (
        <Link href={href} title={address}>
          {text}
        </Link>
      )}
      <CopyButton icon label={`Copy ${what} ${shortAddress(address)}`} text={() => address} />
    </span>
  );
}
