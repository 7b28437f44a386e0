import { stringifyExactJson } from '../transport/exact-json.ts';
import { asksForEncodedAccounts, type RpcRequest } from '../transport/rpc-request.ts';

/** Whether another endpoint's answer to the same request shows that the first one withheld accounts. */
export type Refutation = (other: unknown) => boolean;

interface Listed {
  readonly pubkey: string;
}

/** Far more than the View and the active wallets have. */
const MAX_ADDRESSES = 50_000;
/** Addresses of all remembered scans together. */
const MAX_SCANNED = 100_000;
/** Scans of whole programs by the recorder are larger, and not remembered. */
const MAX_PER_SCAN = 20_000;

/** Accounts that endpoints returned recently: an answer without them needs confirmation by another endpoint. */
export class KnownAccounts {
  readonly #addresses = new Set<string>();
  readonly #scans = new Map<string, ReadonlySet<string>>();
  #scanned = 0;

  /** Returns the test that refutes an answer which lacks known accounts. Null when it lacks none. */
  doubt(request: RpcRequest, result: unknown): Refutation | null {
    if (request.method === 'getMultipleAccounts') return this.#doubtPage(request, result);
    if (!isScan(request)) return null;
    const found = addressesOf(result);
    const before = this.#scans.get(keyOf(request));
    const missing = [...(before ?? [])].filter((address) => !found.has(address));
    if (missing.length > 0) return (other) => intersects(addressesOf(other), missing);
    const isDoubtful = before === undefined && found.size === 0 && asksForExistenceOnly(request);
    return isDoubtful ? (other) => addressesOf(other).size > 0 : null;
  }

  /** Remembers the accounts of an answer that is trusted, and forgets those that are gone. */
  learn(request: RpcRequest, result: unknown): void {
    if (request.method === 'getMultipleAccounts') {
      const values = valuesOf(result);
      addressesIn(request).forEach((address, i) => {
        if (values[i] === null) this.#addresses.delete(address);
        else this.#remember(address);
      });
    } else if (isScan(request)) {
      const found = addressesOf(result);
      if (found.size > MAX_PER_SCAN) return;
      for (const address of found) this.#remember(address);
      this.#rememberScan(keyOf(request), found);
    }
  }

  #doubtPage(request: RpcRequest, result: unknown): Refutation | null {
    const values = valuesOf(result);
    const missing = addressesIn(request).flatMap((address, i) =>
      values[i] === null && this.#addresses.has(address) ? [i] : [],
    );
    if (missing.length === 0) return null;
    return (other) => {
      const theirs = valuesOf(other);
      return missing.some((i) => theirs[i] !== null && theirs[i] !== undefined);
    };
  }

  #remember(address: string): void {
    if (this.#addresses.has(address)) return;
    this.#addresses.add(address);
    if (this.#addresses.size > MAX_ADDRESSES) {
      for (const oldest of this.#addresses) {
        this.#addresses.delete(oldest);
        break;
      }
    }
  }

  #rememberScan(key: string, found: ReadonlySet<string>): void {
    this.#forgetScan(key);
    this.#scans.set(key, found);
    this.#scanned += 1 + found.size;
    for (const oldest of this.#scans.keys()) {
      if (this.#scanned <= MAX_SCANNED) return;
      this.#forgetScan(oldest);
    }
  }

  #forgetScan(key: string): void {
    const found = this.#scans.get(key);
    if (found === undefined) return;
    this.#scans.delete(key);
    this.#scanned -= 1 + found.size;
  }
}

function intersects(all: ReadonlySet<string>, some: readonly string[]): boolean {
  return some.some((each) => all.has(each));
}

/** Scans without a slot cannot be compared: another endpoint may be older. */
function isScan({ method, params }: RpcRequest): boolean {
  if (!asksForEncodedAccounts(method, params)) return false;
  if (method === 'getTokenAccountsByOwner') return true;
  return method === 'getProgramAccounts' && configOf(params)?.withContext === true;
}

/** Whether it asks which accounts there are, and for none of their data. */
function asksForExistenceOnly({ params }: RpcRequest): boolean {
  const slice = configOf(params)?.dataSlice;
  return typeof slice === 'object' && slice !== null && 'length' in slice && slice.length === 0;
}

function configOf(params: readonly unknown[]): Readonly<Record<string, unknown>> | undefined {
  const config = params.at(-1);
  return typeof config === 'object' && config !== null ? { ...config } : undefined;
}

/** The same for every repetition of a scan, whatever slot it starts from. */
function keyOf({ method, params }: RpcRequest): string {
  const { minContextSlot: _, ...config } = configOf(params) ?? {};
  return stringifyExactJson([method, ...params.slice(0, -1), config]);
}

function addressesIn({ params: [addresses] }: RpcRequest): readonly string[] {
  return Array.isArray(addresses) ? addresses : [];
}

/** The shapes of results were checked before. */
function valuesOf(result: unknown): readonly unknown[] {
  return (result as { readonly value: readonly unknown[] }).value;
}

function addressesOf(result: unknown): ReadonlySet<string> {
  return new Set((valuesOf(result) as readonly Listed[]).map(({ pubkey }) => pubkey));
}
