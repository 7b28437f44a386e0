import {
  type Decoded,
  type Fields,
  int32,
  type Message,
  message,
  one,
  optional,
  text,
  uint64,
} from '../wire/fields.ts';

/** A method with one request and one answer. */
export interface UnaryMethod<Q extends Fields, A extends Fields> {
  readonly path: string;
  readonly request: Message<Q>;
  readonly answer: Message<A>;
}

export const SUBSCRIBE_PATH = '/geyser.Geyser/Subscribe';

const pathOf = (name: string) => `/geyser.Geyser/${name}`;
const COMMITMENT = message({ commitment: optional(1, int32) });

export const REPLAY_INFO = {
  path: pathOf('SubscribeReplayInfo'),
  request: message({}),
  /** Absent when the server replays nothing. */
  answer: message({ firstAvailable: optional(1, uint64) }),
};
export const PING = {
  path: pathOf('Ping'),
  request: message({ count: one(1, int32) }),
  answer: message({ count: one(1, int32) }),
};
export const LATEST_BLOCKHASH = {
  path: pathOf('GetLatestBlockhash'),
  request: COMMITMENT,
  answer: message({ slot: one(1, uint64), blockhash: one(2, text), lastValidBlockHeight: one(3, uint64) }),
};
export const GET_SLOT = {
  path: pathOf('GetSlot'),
  request: COMMITMENT,
  answer: message({ slot: one(1, uint64) }),
};
export const GET_VERSION = {
  path: pathOf('GetVersion'),
  request: message({}),
  /** A JSON text. */
  answer: message({ version: one(1, text) }),
};

export type LatestBlockhash = typeof LATEST_BLOCKHASH.answer extends Message<infer F> ? Decoded<F> : never;
