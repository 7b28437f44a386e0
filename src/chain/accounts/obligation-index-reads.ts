import { obligation } from '@sluice/protocol/klend/obligation';
import { addressBytes } from '@sluice/protocol/layout/base58';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import { bytesOf } from '@sluice/rpc-pool';
import type { Address, Commitment, GetProgramAccountsApi, Rpc } from '@solana/kit';
import { scheduler } from '../../node/cooperative-scheduler.ts';
import { ACCOUNTS_PER_PAGE, type ChainAccount } from './account-page.ts';
import type { AccountReader } from './account-reader.ts';
import { memcmp } from './memcmp.ts';
import { type MinSlotOptions, minContextSlotConfig, readAtMinSlot } from './min-slot.ts';

export interface ObligationIndexReadSources {
  readonly rpc: Rpc<GetProgramAccountsApi>;
  readonly reader: AccountReader;
  readonly programs: ProgramIds;
  readonly commitment: Commitment;
}

/** An obligation with debt and the bytes of its `lastUpdate`. Every change of its positions changes them. */
export interface ObligationMark {
  readonly address: Address;
  readonly mark: Uint8Array;
}

/** Results of a scan and its slot. */
export interface ScanResult<T> {
  readonly found: readonly T[];
  readonly slot: bigint;
}

/** The bytes of an obligation up to its positions and elevation group. */
const INDEXED_BYTES = obligation.offsetOf('referrer');
const MARK_AT = obligation.offsetOf('lastUpdate');
export const MARK_BYTES = obligation.offsetOf('lendingMarket') - MARK_AT;
/** Address, owner and numbers of an account in a scan's answer, and base64 of its bytes. */
const WHOLE_ANSWER_BYTES = 260 + Math.ceil(INDEXED_BYTES / 3) * 4;
/** A scan with a larger answer could exceed the limit of a body. */
const MAX_WHOLE_ANSWER_BYTES = 200_000_000;

/** The obligations of a market that have debt. The program updates `hasDebt` with every action and refresh. */
export class ObligationIndexReads {
  readonly #sources: ObligationIndexReadSources;

  constructor(sources: ObligationIndexReadSources) {
    this.#sources = sources;
  }

  /** Most obligations that one scan can read with their positions. */
  static readonly maxWhole = Math.floor(MAX_WHOLE_ANSWER_BYTES / WHOLE_ANSWER_BYTES);

  /** RPC requests that it takes to read so many obligations by address. */
  static pagesFor(obligations: number): number {
    return Math.ceil(obligations / ACCOUNTS_PER_PAGE);
  }

  /** Every obligation with the bytes that tell whether it has changed: 16 bytes of each. */
  async marks(market: Address, options: MinSlotOptions): Promise<ScanResult<ObligationMark>> {
    const { found, slot } = await this.#scan(market, { offset: MARK_AT, length: MARK_BYTES }, options);
    return { found: found.map(({ address, data }) => ({ address, mark: data })), slot };
  }

  /** Every obligation with its positions, in one call. */
  async whole(market: Address, options: MinSlotOptions): Promise<ScanResult<ChainAccount>> {
    return await this.#scan(market, { offset: 0, length: INDEXED_BYTES }, options);
  }

  /** Some obligations with their positions, in pages. Leaves out those that no longer exist. */
  async some(addresses: readonly Address[], options: MinSlotOptions): Promise<ScanResult<ChainAccount>> {
    const reads = await this.#sources.reader.readHeads(addresses, INDEXED_BYTES, options);
    const found = reads.flatMap(({ account }) => (account === null ? [] : [account]));
    return { found, slot: options.minSlot };
  }

  async #scan(
    market: Address,
    dataSlice: { readonly offset: number; readonly length: number },
    options: MinSlotOptions,
  ): Promise<ScanResult<ChainAccount>> {
    const { rpc, programs, commitment } = this.#sources;
    const answer = await readAtMinSlot(
      options,
      ({ context }) => context.slot,
      () =>
        rpc
          .getProgramAccounts(programs.klend, {
            encoding: 'base64',
            commitment,
            ...minContextSlotConfig(options.minSlot),
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
    const found = await scheduler.map(answer.value, ({ pubkey, account }) => ({
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
