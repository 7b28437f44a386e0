import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Address, createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';
import { SLOT } from '../constants.ts';
import type { Json } from '../normalise.ts';

export interface FixedAccount {
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly lamports: bigint;
}

/** Rent of a token account. */
export const TOKEN_ACCOUNT_RENT = 2_039_280n;

/** The accounts of a world, and an RPC that answers from them and knows nothing else. */
export class FixedChain {
  readonly #accounts = new Map<Address, FixedAccount>();

  put(address: Address, owner: Address, data: Uint8Array, lamports: bigint = TOKEN_ACCOUNT_RENT): void {
    this.#accounts.set(address, { owner, data, lamports });
  }

  /** An account as it stands in a vector file: raw deflate, base64. */
  putDeflated(address: Address, owner: Address, deflated: string): void {
    this.put(address, owner, inflateRawSync(Buffer.from(deflated, 'base64')));
  }

  rpc() {
    const transport: RpcTransport = async <T>({ payload }: Parameters<RpcTransport>[0]) => {
      const { id, method, params } = payload as { id: string; method: string; params: unknown[] };
      return { jsonrpc: '2.0', id, result: this.#answer(method, params) } as T;
    };
    return createSolanaRpcFromTransport(transport);
  }

  /** Accounts as the tests read them, without those that another chain has as well. */
  toJson(without?: FixedChain): Json {
    const own = [...this.#accounts].filter(
      ([address]) => without === undefined || !without.#accounts.has(address),
    );
    const entries = own.map(([address, { owner, data, lamports }]) => [
      address,
      { owner, lamports: `${lamports}`, data: deflateRawSync(data, { level: 9 }).toString('base64') },
    ]);
    return Object.fromEntries(entries) as Json;
  }

  #answer(method: string, params: readonly unknown[]): unknown {
    const context = { slot: Number(SLOT) };
    switch (method) {
      case 'getAccountInfo':
        return { context, value: this.#wire(params[0] as Address) };
      case 'getMultipleAccounts':
        return { context, value: (params[0] as Address[]).map((address) => this.#wire(address)) };
      case 'getMinimumBalanceForRentExemption':
        return Number(TOKEN_ACCOUNT_RENT);
      case 'getSlot':
        return Number(SLOT);
      default:
        throw new Error(`the chain does not answer ${method}`);
    }
  }

  #wire(address: Address): unknown {
    const account = this.#accounts.get(address);
    if (account === undefined) return null;
    return {
      owner: account.owner,
      lamports: Number(account.lamports),
      data: [Buffer.from(account.data).toString('base64'), 'base64'],
      executable: false,
      rentEpoch: 0,
      space: account.data.length,
    };
  }
}
