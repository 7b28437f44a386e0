import type { Address, Commitment, GetProgramAccountsApi, Rpc } from '@solana/kit';
import { turns } from '../node/turns.ts';
import { obligation } from '../programs/klend/obligation.ts';
import { addressBytes } from '../programs/layout/base58.ts';
import type { ProgramIds } from '../programs/program-ids.ts';
import { ACCOUNTS_PER_PAGE, type ChainAccount } from './account-page.ts';
import type { AccountReader } from './account-reader.ts';
import { memcmp } from './memcmp.ts';
import { contextNotBefore, type NotBefore, notBefore } from './not-before.ts';
import { bytesOf } from './rpc/account-json.ts';

export interface LoanSources {
  readonly rpc: Rpc<GetProgramAccountsApi>;
  readonly reader: AccountReader;
  readonly programs: ProgramIds;
  readonly commitment: Commitment;
}

/** A loan and the bytes of its `lastUpdate`. Every change of its positions changes them. */
export interface LoanMark {
  readonly address: Address;
  readonly mark: Uint8Array;
}

/** What a scan found, at its slot. */
export interface LoanScan<T> {
  readonly found: readonly T[];
  readonly slot: bigint;
}

/** The bytes of an obligation up to its positions and elevation group. */
const LOAN_BYTES = obligation.offsetOf('referrer');
const MARK_AT = obligation.offsetOf('lastUpdate');
export const MARK_BYTES = obligation.offsetOf('lendingMarket') - MARK_AT;
/** Address, owner and numbers of an account in a scan's answer, and base64 of its bytes. */
const WHOLE_ANSWER_BYTES = 260 + Math.ceil(LOAN_BYTES / 3) * 4;
/** A scan with a larger answer could exceed the limit of a body. */
const MAX_WHOLE_ANSWER_BYTES = 200_000_000;

/** The obligations of a market that have debt. The program updates `hasDebt` with every action and refresh. */
export class LoanReads {
  readonly #sources: LoanSources;

  constructor(sources: LoanSources) {
    this.#sources = sources;
  }

  /** Most loans that one scan can read with their positions. */
  static readonly maxWhole = Math.floor(MAX_WHOLE_ANSWER_BYTES / WHOLE_ANSWER_BYTES);

  /** RPC requests that it takes to read so many loans by address. */
  static pagesFor(loans: number): number {
    return Math.ceil(loans / ACCOUNTS_PER_PAGE);
  }

  /** Every loan with the bytes that tell whether it has changed: 16 bytes of each. */
  async marks(market: Address, options: NotBefore): Promise<LoanScan<LoanMark>> {
    const { found, slot } = await this.#scan(market, { offset: MARK_AT, length: MARK_BYTES }, options);
    return { found: found.map(({ address, data }) => ({ address, mark: data })), slot };
  }

  /** Every loan with its positions, in one call. */
  async whole(market: Address, options: NotBefore): Promise<LoanScan<ChainAccount>> {
    return await this.#scan(market, { offset: 0, length: LOAN_BYTES }, options);
  }

  /** Some loans with their positions, in pages. Leaves out those that no longer exist. */
  async some(addresses: readonly Address[], options: NotBefore): Promise<LoanScan<ChainAccount>> {
    const reads = await this.#sources.reader.readHeads(addresses, LOAN_BYTES, options);
    const found = reads.flatMap(({ account }) => (account === null ? [] : [account]));
    return { found, slot: options.minSlot };
  }

  async #scan(
    market: Address,
    dataSlice: { readonly offset: number; readonly length: number },
    options: NotBefore,
  ): Promise<LoanScan<ChainAccount>> {
    const { rpc, programs, commitment } = this.#sources;
    const answer = await notBefore(
      options,
      ({ context }) => context.slot,
      () =>
        rpc
          .getProgramAccounts(programs.klend, {
            encoding: 'base64',
            commitment,
            ...contextNotBefore(options.minSlot),
            withContext: true,
            dataSlice,
            filters: [
              memcmp(0, obligation.discriminator),
              memcmp(obligation.offsetOf('lendingMarket'), addressBytes(market)),
              memcmp(obligation.offsetOf('hasDebt'), HAS_DEBT),
            ],
          })
          .send({ abortSignal: options.signal }),
    );
    const { slot } = answer.context;
    const found = await turns.map(answer.value, ({ pubkey, account }) => ({
      address: pubkey,
      owner: account.owner,
      lamports: account.lamports,
      data: bytesOf(account.data),
      slot,
    }));
    return { found, slot };
  }
}

const HAS_DEBT = Uint8Array.of(1);
