import {
  bool,
  bytes,
  type DecodedOf,
  type InputOf,
  int32,
  int64,
  message,
  one,
  optional,
  repeated,
  text,
  uint64,
} from '../wire/fields.ts';
import { TRANSACTION_STATUS_UPDATE, TRANSACTION_UPDATE } from './transaction.ts';

export const SlotStatus = {
  PROCESSED: 0,
  CONFIRMED: 1,
  FINALIZED: 2,
  FIRST_SHRED_RECEIVED: 3,
  COMPLETED: 4,
  CREATED_BANK: 5,
  DEAD: 6,
} as const;
export type SlotStatus = (typeof SlotStatus)[keyof typeof SlotStatus];

const ACCOUNT_INFO = message({
  pubkey: one(1, bytes),
  /** 0: the account is closed, whatever owner and data say. */
  lamports: one(2, uint64),
  owner: one(3, bytes),
  executable: one(4, bool),
  rentEpoch: one(5, uint64),
  data: one(6, bytes),
  /** Orders the updates of one account within one slot of one node. */
  writeVersion: one(7, uint64),
  txnSignature: optional(8, bytes),
});

const ACCOUNT_UPDATE = message({
  account: optional(1, ACCOUNT_INFO),
  slot: one(2, uint64),
  isStartup: one(3, bool),
});

const SLOT_UPDATE = message({
  slot: one(1, uint64),
  parent: optional(2, uint64),
  /** A SlotStatus. */
  status: one(3, int32),
  deadError: optional(4, text),
});

const BLOCK_META_UPDATE = message({
  slot: one(1, uint64),
  blockhash: one(2, text),
  /** Unix seconds. */
  blockTime: optional(4, message({ timestamp: one(1, int64) })),
  blockHeight: optional(5, message({ blockHeight: one(1, uint64) })),
  parentSlot: one(6, uint64),
  parentBlockhash: one(7, text),
  executedTransactionCount: one(8, uint64),
  entriesCount: one(9, uint64),
});

const KINDS = {
  account: optional(2, ACCOUNT_UPDATE),
  slot: optional(3, SLOT_UPDATE),
  transaction: optional(4, TRANSACTION_UPDATE),
  ping: optional(6, message({})),
  blockMeta: optional(7, BLOCK_META_UPDATE),
  pong: optional(9, message({ id: one(1, int32) })),
  transactionStatus: optional(10, TRANSACTION_STATUS_UPDATE),
};

/** Exactly one of its parts is set; none for a kind that this codec does not know. */
export const SUBSCRIBE_UPDATE = message(
  {
    /** Names of the subscription's filters that it passed. */
    filters: repeated(1, text),
    ...KINDS,
    createdAt: optional(11, message({ seconds: one(1, int64), nanos: one(2, int32) })),
  },
  Object.keys(KINDS) as (keyof typeof KINDS)[],
);

export type SubscribeUpdate = DecodedOf<typeof SUBSCRIBE_UPDATE>;
/** For a server to encode. */
export type SubscribeUpdateInput = InputOf<typeof SUBSCRIBE_UPDATE>;
export type AccountInfo = DecodedOf<typeof ACCOUNT_INFO>;
export type AccountInfoInput = InputOf<typeof ACCOUNT_INFO>;
export type AccountUpdate = DecodedOf<typeof ACCOUNT_UPDATE>;
export type AccountUpdateInput = InputOf<typeof ACCOUNT_UPDATE>;
export type SlotUpdate = DecodedOf<typeof SLOT_UPDATE>;
export type BlockMetaUpdate = DecodedOf<typeof BLOCK_META_UPDATE>;
