import { userState } from '@sluice/protocol/farms/user-state';
import { obligation } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { addressBytes } from '@sluice/protocol/layout/base58';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import { TOKEN_ACCOUNT_OFFSETS } from '@sluice/protocol/token/token-account';
import { bytesOf } from '@sluice/rpc-pool';
import { type Address, createSolanaRpc } from '@solana/kit';
import { memcmp } from '../../../src/chain/accounts/memcmp.ts';
import type { PositionAccount, PositionKind } from '../../../src/chain/positions/position-kinds.ts';
import type { AccountSink, AccountSource } from '../../../src/chain/view/account-source.ts';
import type { View } from '../../../src/chain/view/view.ts';

interface Scan {
  readonly kind: PositionKind;
  readonly program: Address;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Delivers the accounts of all wallets as scans of an RPC find them, when the test says so. */
export class ScanningSource implements AccountSource {
  readonly kinds = [];
  readonly connected = true;
  readonly #rpc: ReturnType<typeof createSolanaRpc>;
  readonly #programs: ProgramIds;
  #sink: AccountSink | null = null;
  #known = new Map<string, PositionAccount>();

  constructor(url: string, programs: ProgramIds) {
    this.#rpc = createSolanaRpc(url);
    this.#programs = programs;
  }

  start(sink: AccountSink): void {
    this.#sink = sink;
  }

  async stop(): Promise<void> {
    this.#sink = null;
  }

  /** Delivers all accounts. @param view names the mints of the shares */
  async load(view: View): Promise<void> {
    const { slot, accounts } = await this.#scan(view);
    this.#known = accounts;
    await this.#sink?.positionsLoaded(slot, accounts.values());
  }

  /** Announces what has changed since. */
  async announce(view: View): Promise<void> {
    const { slot, accounts } = await this.#scan(view);
    for (const [key, { kind, account }] of accounts) {
      const known = this.#known.get(key)?.account;
      if (
        known !== undefined &&
        known.owner === account.owner &&
        Buffer.compare(known.data, account.data) === 0
      )
        continue;
      this.#sink?.positionChanged({ kind, address: account.address, account, slot });
    }
    for (const [key, { kind, account }] of this.#known) {
      if (!accounts.has(key))
        this.#sink?.positionChanged({ kind, address: account.address, account: null, slot });
    }
    this.#known = accounts;
  }

  lose(): void {
    this.#sink?.positionsLost();
  }

  async #scan(view: View) {
    const accounts = new Map<string, PositionAccount>();
    let slot = 0n;
    for (const { kind, program, offset, bytes } of this.#scans(view)) {
      const { context, value } = await this.#rpc
        .getProgramAccounts(program, {
          encoding: 'base64',
          commitment: 'confirmed',
          withContext: true,
          filters: [memcmp(offset, bytes)],
        })
        .send();
      slot = context.slot > slot ? context.slot : slot;
      for (const { pubkey: address, account } of value) {
        const { owner, lamports } = account;
        const read = { address, owner, lamports, data: bytesOf(account.data), slot: context.slot };
        accounts.set(`${kind} ${address}`, { kind, account: read });
      }
    }
    return { slot, accounts };
  }

  *#scans(view: View): Generator<Scan> {
    const { klend, farms } = this.#programs;
    const layouts = { obligation, withdrawTicket, userMetadata, referrerTokenState, farmUser: userState };
    for (const [kind, { discriminator }] of Object.entries(layouts)) {
      const program = kind === 'farmUser' ? farms : klend;
      yield { kind: kind as PositionKind, program, offset: 0, bytes: discriminator };
    }
    for (const { value } of view.all('vault').values()) {
      const program = view.get('mint', value.sharesMint)?.owner;
      if (program === undefined) continue;
      const bytes = addressBytes(value.sharesMint);
      yield { kind: 'tokenAccount', program, offset: TOKEN_ACCOUNT_OFFSETS.mint, bytes };
    }
  }
}
