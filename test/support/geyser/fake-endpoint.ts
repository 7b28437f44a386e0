import {
  SlotStatus,
  SUBSCRIBE_UPDATE,
  type SubscribeRequest,
  type SubscribeUpdate,
  type SubscribeUpdateInput,
} from '@sluice/geyser/messages';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { CLOCK_SYSVAR, SYSVAR_PROGRAM } from '@sluice/protocol/program-ids';
import { encodeClock } from '@sluice/protocol/sysvar/clock';
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../../src/chain/accounts/account-page.ts';
import type {
  AccountStream,
  StreamConnection,
  StreamEndpoint,
} from '../../../src/chain/sources/geyser/stream-connection.ts';

export interface SlotContent {
  readonly parent?: bigint;
  /** Prefix of blockhashes: another one is another fork. */
  readonly node?: string;
  /** Accounts with the names of the filters for which they are sent. */
  readonly accounts?: readonly (readonly [account: Omit<ChainAccount, 'slot'>, ...filters: string[]])[];
}

/** The updates of one confirmed slot, in the order of a server. */
export function slotUpdates(
  slot: bigint,
  { parent = slot - 1n, node = 'a', accounts = [] }: SlotContent = {},
): SubscribeUpdate[] {
  const clock = {
    address: CLOCK_SYSVAR,
    owner: SYSVAR_PROGRAM,
    lamports: 1n,
    data: encodeClock({ slot, unixTimestamp: slot }),
  };
  const inputs: SubscribeUpdateInput[] = [...accounts, [clock, 'named'] as const].map(
    ([{ address, owner, lamports, data }, ...filters], i) => ({
      filters,
      account: {
        slot,
        account: {
          pubkey: addressBytes(address as Address),
          owner: addressBytes(owner as Address),
          lamports,
          data,
          writeVersion: BigInt(i + 1),
        },
      },
    }),
  );
  inputs.push({
    filters: ['blocks'],
    blockMeta: {
      slot,
      blockhash: `${node}${slot}`,
      parentSlot: parent,
      parentBlockhash: `${node}${parent}`,
    },
  });
  inputs.push({ filters: ['slots'], slot: { slot, parent, status: SlotStatus.CONFIRMED } });
  // Over the wire and back, so that absent fields are as a client has them.
  return inputs.map((input) => SUBSCRIBE_UPDATE.decode(SUBSCRIBE_UPDATE.encode(input)));
}

/** One subscription, which the test feeds. */
export class FakeSubscription implements AccountStream {
  readonly requests: SubscribeRequest[];
  readonly #updates: SubscribeUpdate[] = [];
  #failure: unknown;
  #wake: (() => void) | undefined;
  readonly #signal: AbortSignal;

  constructor(request: SubscribeRequest, signal: AbortSignal) {
    this.requests = [request];
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake?.());
  }

  send(...updates: readonly SubscribeUpdate[]): void {
    this.#updates.push(...updates);
    this.#wake?.();
  }

  slot(slot: bigint, content?: SlotContent): void {
    this.send(...slotUpdates(slot, content));
  }

  fail(error: unknown): void {
    this.#failure = error;
    this.#wake?.();
  }

  update(request: SubscribeRequest): void {
    this.requests.push(request);
  }

  ping(id: number): void {
    this.send(SUBSCRIBE_UPDATE.decode(SUBSCRIBE_UPDATE.encode({ pong: { id } })));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SubscribeUpdate> {
    for (;;) {
      for (let next = this.#updates.shift(); next !== undefined; next = this.#updates.shift()) yield next;
      if (this.#signal.aborted) throw new Error('cancelled');
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** An endpoint whose subscriptions the test feeds. */
export class FakeEndpoint implements StreamEndpoint {
  readonly name: string;
  readonly subscriptions: FakeSubscription[] = [];
  /** Called with each subscription. */
  readonly onSubscribe: (subscription: FakeSubscription) => void;

  constructor(name: string, onSubscribe: (subscription: FakeSubscription) => void = () => undefined) {
    this.name = name;
    this.onSubscribe = onSubscribe;
  }

  /** The one that is followed. */
  get current(): FakeSubscription {
    const current = this.subscriptions.at(-1);
    if (current === undefined) throw new Error('nothing is followed');
    return current;
  }

  connect(): StreamConnection {
    return {
      subscribe: (request, signal) => {
        const subscription = new FakeSubscription(request, signal);
        this.subscriptions.push(subscription);
        this.onSubscribe(subscription);
        return subscription;
      },
      close: async () => undefined,
    };
  }
}
