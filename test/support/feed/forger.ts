import { Redis } from 'ioredis';
import type { View } from '../../../src/chain/view/view.ts';
import { feedKeys } from '../../../src/feed/feed-keys.ts';
import { FeedSeal } from '../../../src/feed/feed-seal.ts';
import { differences, type ViewDifferences } from '../../../src/feed/view-differences.ts';
import { encodeMessage } from '../../../src/feed/view-message.ts';
import { FEED_SECRET } from './fed-chain.ts';

const FAR_SLOT = 1_000_000_000_000n;

/** Somebody who can write to Redis, with or without the secret of the gateways. */
export class Forger {
  readonly admin: Redis;
  readonly #secret: string;

  constructor(url: string, { secret = FEED_SECRET }: { readonly secret?: string } = {}) {
    this.admin = new Redis(url);
    this.admin.on('error', () => undefined);
    this.#secret = secret;
  }

  async keys() {
    return feedKeys(await this.#feed());
  }

  /**
   * Appends a View without accounts, of a slot in 12,000 years, to the stream, as changes of a View. Nothing when the reader
   * was faster.
   */
  async appendEmpty(view: View): Promise<void> {
    const [newest] = await this.admin.xrevrange((await this.keys()).views, '+', '-', 'COUNT', 1);
    const [token = '', sequence = ''] = newest?.[0].split('-') ?? [];
    const removed = differences(null, view).accounts.map(({ kind, address }) => ({ kind, address }));
    const place = { token: BigInt(token), sequence: Number(sequence) + 1 };
    const message = await this.#message(view, place, { accounts: [], failed: [], removed });
    const adding = this.admin.xadd(
      (await this.keys()).views,
      `${token}-${place.sequence}`,
      'changes',
      message,
    );
    await adding.catch((error: unknown) => {
      if (!String(error).includes('equal or smaller')) throw error;
    });
  }

  /** Replaces the snapshot by a View of a slot in 12,000 years, with the lease and the progress of its reader. */
  async replaceFeed(view: View): Promise<void> {
    const { views, snapshot, lease } = await this.keys();
    const place = { token: BigInt(Date.now()) * 1_000n, sequence: 1 };
    const message = await this.#message(view, place, differences(null, view), true);
    const entry = `${place.token}-1`;
    await this.admin
      .multi()
      .set(lease, String(place.token))
      .del(views)
      .xadd(views, entry, 'whole', '1')
      .hset(snapshot, { entry, message })
      .exec();
  }

  /** Replaces a key by one of another type. */
  async replaceType(name: keyof ReturnType<typeof feedKeys>): Promise<void> {
    const key = (await this.keys())[name];
    await this.admin.multi().del(key).sadd(key, 'x').exec();
  }

  stop(): void {
    this.admin.disconnect();
  }

  async #feed(): Promise<string> {
    const [key = ''] = await this.admin.keys('sluice:feed:{*}:head');
    return /\{(.*)\}/.exec(key)?.[1] ?? '';
  }

  async #message(
    view: View,
    place: { readonly token: bigint; readonly sequence: number },
    changes: ViewDifferences,
    whole = false,
  ): Promise<Buffer> {
    const far = { slot: FAR_SLOT, slotMin: FAR_SLOT, slotMax: FAR_SLOT, slotWhole: FAR_SLOT };
    return await encodeMessage(
      {
        ...place,
        previous: whole ? null : view.moment.id,
        highestSlot: FAR_SLOT,
        discardAfter: null,
        intervalMs: 2_000,
        positions: null,
        moment: { ...view.moment, ...far, id: `ffffffff-${place.sequence}`, builtAtMs: Date.now() },
      },
      changes,
      new FeedSeal(this.#secret, await this.#feed()),
    );
  }
}
