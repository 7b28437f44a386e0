import { addressBytes } from '@sluice/protocol/layout/base58';
import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';

/** Numbers of addresses that many accounts name: reserves, markets, farms, mints, programs. Number 0 is the zero address. */
export class AddressDictionary {
  readonly #numbers = new Map<Address, number>();
  readonly #bytes: Uint8Array[] = [];
  readonly #addresses: Address[] = [];

  constructor() {
    this.of(SYSTEM_PROGRAM);
  }

  /** Number of addresses. */
  get size(): number {
    return this.#addresses.length;
  }

  /** The number of an address, a new one if it has none. */
  of(address: Address): number {
    const known = this.#numbers.get(address);
    if (known !== undefined) return known;
    const number = this.#addresses.length;
    this.#numbers.set(address, number);
    this.#addresses.push(address);
    this.#bytes.push(addressBytes(address));
    return number;
  }

  /** Undefined when no account named it. */
  known(address: Address): number | undefined {
    return this.#numbers.get(address);
  }

  address(number: number): Address {
    const address = this.#addresses[number];
    if (address === undefined) throw new RangeError(`no address has number ${number}`);
    return address;
  }

  bytes(number: number): Uint8Array {
    const bytes = this.#bytes[number];
    if (bytes === undefined) throw new RangeError(`no address has number ${number}`);
    return bytes;
  }
}
