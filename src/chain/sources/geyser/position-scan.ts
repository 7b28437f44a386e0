import { userState } from '@sluice/protocol/farms/user-state';
import { obligation } from '@sluice/protocol/klend/obligation';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { TOKEN_ACCOUNT_BYTES, TOKEN_ACCOUNT_OFFSETS } from '@sluice/protocol/token/token-account';
import { bytesOf } from '@sluice/rpc-pool';
import type { Address, Commitment, GetProgramAccountsApi, Rpc } from '@solana/kit';
import type { ChainAccount } from '../../accounts/account-page.ts';
import type { AccountReader } from '../../accounts/account-reader.ts';
import { memcmp } from '../../accounts/memcmp.ts';
import { type MinSlotOptions, minContextSlotConfig, readAtMinSlot } from '../../accounts/min-slot.ts';
import { isPositionKind, type PositionAccount, type PositionKind } from '../../positions/position-kinds.ts';
import type { StreamLinks } from './stream-links.ts';
import { type StreamedKind, TOKEN_PROGRAMS } from './streamed-kinds.ts';

export interface PositionScanSources {
  readonly rpc: Rpc<GetProgramAccountsApi>;
  readonly reader: AccountReader;
  readonly kinds: readonly StreamedKind[];
  readonly commitment: Commitment;
}

/** Some accounts of a kind, found by one scan of a program. */
interface Partition {
  readonly kind: PositionKind;
  readonly program: Address;
  readonly filters: readonly ReturnType<typeof memcmp>[];
  readonly expectedBytes: number;
}

/** Accounts read by one batch of pages. */
const BATCH = 784;
/** Answer of one scan that is read whole; larger ones are read in pages. Far below the limit of a body. */
const MAX_SCAN_BYTES = 100_000_000;
/** Address, owner and numbers of an account in a scan's answer. */
const ANSWER_BYTES = 260;
const MARKET = obligation.offsetOf('lendingMarket');
const FARM = userState.offsetOf('farmState');

/** Reads the accounts of wallets over JSON-RPC: a stream brings changes alone. */
export class PositionScan {
  readonly #sources: PositionScanSources;

  constructor(sources: PositionScanSources) {
    this.#sources = sources;
  }

  /** All positions, each as of its own slot, which is `minSlot` or later. */
  async *all(links: StreamLinks, options: MinSlotOptions): AsyncGenerator<PositionAccount> {
    const whole = this.#kinds().filter(({ kind }) => kind !== 'obligation' && kind !== 'farmUser');
    yield* this.#scan(
      [
        ...[...links.markets].map((market) =>
          this.#partition('obligation', memcmp(MARKET, addressBytes(market))),
        ),
        ...whole.map(({ kind }) => this.#partition(kind)),
        ...this.#partitionsOf(links),
      ],
      options,
    );
  }

  /** The stakes and shares that `links` have and `before` has not. */
  async *added(
    links: StreamLinks,
    before: StreamLinks,
    options: MinSlotOptions,
  ): AsyncGenerator<PositionAccount> {
    yield* this.#scan(
      this.#partitionsOf({
        farms: [...links.farms].filter((farm) => !before.farms.has(farm)),
        shareMints: [...links.shareMints].filter((mint) => !before.shareMints.has(mint)),
      }),
      options,
    );
  }

  #kinds(): readonly (StreamedKind & { readonly kind: PositionKind })[] {
    return this.#sources.kinds.flatMap((each) =>
      isPositionKind(each.kind) ? [{ ...each, kind: each.kind }] : [],
    );
  }

  #partition(kind: PositionKind, ...filters: readonly ReturnType<typeof memcmp>[]): Partition {
    const found = this.#kinds().find((each) => each.kind === kind);
    if (found === undefined) throw new RangeError(`${kind} is not found by its program`);
    const { program, discriminator, size } = found;
    return { kind, program, filters: [memcmp(0, discriminator), ...filters], expectedBytes: size };
  }

  #partitionsOf({
    farms,
    shareMints,
  }: {
    readonly farms: Iterable<Address>;
    readonly shareMints: Iterable<Address>;
  }): readonly Partition[] {
    const stakes = [...farms].map((farm) => this.#partition('farmUser', memcmp(FARM, addressBytes(farm))));
    const shares = [...shareMints].flatMap((mint) =>
      TOKEN_PROGRAMS.map((program) => ({
        kind: 'tokenAccount' as const,
        program,
        filters: [memcmp(TOKEN_ACCOUNT_OFFSETS.mint, addressBytes(mint))],
        expectedBytes: TOKEN_ACCOUNT_BYTES,
      })),
    );
    return [...stakes, ...shares];
  }

  /** One after the other: the answers are large. */
  async *#scan(partitions: readonly Partition[], options: MinSlotOptions): AsyncGenerator<PositionAccount> {
    for (const partition of partitions) {
      const { kind, expectedBytes } = partition;
      const accounts = this.#read(partition, options);
      for await (const account of accounts) {
        // The mint of a token account is at the place where other accounts of the program may have anything.
        if (kind !== 'tokenAccount' || account.data.length >= expectedBytes) yield { kind, account };
      }
    }
  }

  async *#read(partition: Partition, options: MinSlotOptions): AsyncGenerator<ChainAccount> {
    const addresses = (await this.#program(partition, 1, options)).map(({ address }) => address);
    const answerBytes = ANSWER_BYTES + (partition.expectedBytes * 4) / 3;
    if (addresses.length === 0) return;
    if (addresses.length * answerBytes <= MAX_SCAN_BYTES)
      yield* await this.#program(partition, null, options);
    else yield* this.#pages(addresses, partition.expectedBytes, options);
  }

  async *#pages(
    addresses: readonly Address[],
    expectedBytes: number,
    options: MinSlotOptions,
  ): AsyncGenerator<ChainAccount> {
    const { reader } = this.#sources;
    for (let i = 0; i < addresses.length; i += BATCH) {
      const keys = addresses.slice(i, i + BATCH).map((address) => ({ address, expectedBytes }));
      for (const read of await reader.readMany(keys, options)) {
        if (read instanceof Error) throw read;
        if (read.account !== null) yield read.account;
      }
    }
  }

  /** `headBytes` of each account; null for all. */
  async #program(
    { program, filters }: Partition,
    headBytes: number | null,
    options: MinSlotOptions,
  ): Promise<readonly ChainAccount[]> {
    const { rpc, commitment } = this.#sources;
    const config = {
      encoding: 'base64',
      commitment,
      ...minContextSlotConfig(options.minSlot),
      withContext: true,
      // A slice raises the limit of the answer, which is that of one wallet's accounts without it.
      dataSlice: { offset: 0, length: headBytes ?? MAX_ACCOUNT_BYTES },
      filters: [...filters],
    } as const;
    const { context, value } = await readAtMinSlot(
      options,
      (answer) => answer.context.slot,
      () => rpc.getProgramAccounts(program, config).send({ abortSignal: options.signal }),
    );
    return value.map(({ pubkey, account: { owner, lamports, data } }) => ({
      address: pubkey,
      owner,
      lamports,
      data: bytesOf(data),
      slot: context.slot,
    }));
  }
}

const MAX_ACCOUNT_BYTES = 10_485_760;
