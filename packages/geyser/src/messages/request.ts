import {
  bool,
  bytes,
  type DecodedOf,
  type InputOf,
  int32,
  mapOf,
  message,
  one,
  optional,
  repeated,
  text,
  uint64,
} from '../wire/fields.ts';

export const CommitmentLevel = { PROCESSED: 0, CONFIRMED: 1, FINALIZED: 2 } as const;
export type CommitmentLevel = (typeof CommitmentLevel)[keyof typeof CommitmentLevel];

/** Bytes at an offset, in one of three forms. */
const MEMCMP = message(
  { offset: one(1, uint64), bytes: optional(2, bytes), base58: optional(3, text), base64: optional(4, text) },
  ['bytes', 'base58', 'base64'],
);

const LAMPORTS = message(
  { eq: optional(1, uint64), ne: optional(2, uint64), lt: optional(3, uint64), gt: optional(4, uint64) },
  ['eq', 'ne', 'lt', 'gt'],
);

/** One condition on an account. */
const ACCOUNTS_FILTER = message(
  {
    memcmp: optional(1, MEMCMP),
    datasize: optional(2, uint64),
    tokenAccountState: optional(3, bool),
    lamports: optional(4, LAMPORTS),
  },
  ['memcmp', 'datasize', 'tokenAccountState', 'lamports'],
);

/** Accounts that meet all three: an address of the list, an owner of the list, and every filter. An empty list is no condition. */
const FILTER_ACCOUNTS = message({
  account: repeated(2, text),
  owner: repeated(3, text),
  filters: repeated(4, ACCOUNTS_FILTER),
  nonemptyTxnSignature: optional(5, bool),
});

const FILTER_SLOTS = message({
  filterByCommitment: optional(1, bool),
  interslotUpdates: optional(2, bool),
});

const FILTER_TRANSACTIONS = message({
  vote: optional(1, bool),
  failed: optional(2, bool),
  accountInclude: repeated(3, text),
  accountExclude: repeated(4, text),
  signature: optional(5, text),
  accountRequired: repeated(6, text),
});

const NO_FIELDS = message({});

const DATA_SLICE = message({ offset: one(1, uint64), length: one(2, uint64) });

/** Replaces the whole subscription; with `ping` it is answered by a pong and changes nothing. Keys of maps name the filters. */
export const SUBSCRIBE_REQUEST = message({
  accounts: mapOf(1, FILTER_ACCOUNTS),
  slots: mapOf(2, FILTER_SLOTS),
  transactions: mapOf(3, FILTER_TRANSACTIONS),
  blocks: mapOf(4, NO_FIELDS),
  blocksMeta: mapOf(5, NO_FIELDS),
  commitment: optional(6, int32),
  /** Of all accounts of the subscription, in ascending order. */
  accountsDataSlice: repeated(7, DATA_SLICE),
  entry: mapOf(8, NO_FIELDS),
  ping: optional(9, message({ id: one(1, int32) })),
  transactionsStatus: mapOf(10, FILTER_TRANSACTIONS),
  /** Inclusive. */
  fromSlot: optional(11, uint64),
});

/** Absent fields have their default. */
export type SubscribeRequest = InputOf<typeof SUBSCRIBE_REQUEST>;
/** As a server decodes it. */
export type ReceivedRequest = DecodedOf<typeof SUBSCRIBE_REQUEST>;
export type AccountsFilter = DecodedOf<typeof ACCOUNTS_FILTER>;
export type AccountsFilterInput = InputOf<typeof ACCOUNTS_FILTER>;
export type FilterAccounts = DecodedOf<typeof FILTER_ACCOUNTS>;
export type FilterAccountsInput = InputOf<typeof FILTER_ACCOUNTS>;
export type FilterSlots = DecodedOf<typeof FILTER_SLOTS>;
export type FilterTransactions = DecodedOf<typeof FILTER_TRANSACTIONS>;
export type FilterTransactionsInput = InputOf<typeof FILTER_TRANSACTIONS>;
export type DataSlice = DecodedOf<typeof DATA_SLICE>;
