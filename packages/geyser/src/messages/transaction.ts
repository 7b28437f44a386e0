import {
  bool,
  bytes,
  type DecodedOf,
  double,
  type InputOf,
  message,
  one,
  optional,
  repeated,
  text,
  uint32,
  uint64,
} from '../wire/fields.ts';

/** Bincode of the cluster's TransactionError; see transaction-error.ts. */
export const TRANSACTION_ERROR = message({ err: one(1, bytes) });

const HEADER = message({
  numRequiredSignatures: one(1, uint32),
  numReadonlySigned: one(2, uint32),
  numReadonlyUnsigned: one(3, uint32),
});

const COMPILED_INSTRUCTION = message({
  programIdIndex: one(1, uint32),
  accounts: one(2, bytes),
  data: one(3, bytes),
});

const TABLE_LOOKUP = message({
  accountKey: one(1, bytes),
  writableIndexes: one(2, bytes),
  readonlyIndexes: one(3, bytes),
});

/** Of transactions of format V1, which have no table lookups. */
const MESSAGE_CONFIG = message({
  priorityFee: optional(1, uint64),
  computeUnitLimit: optional(2, uint32),
  loadedAccountsDataSizeLimit: optional(3, uint32),
  heapSize: optional(4, uint32),
});

const TRANSACTION_MESSAGE = message({
  header: optional(1, HEADER),
  accountKeys: repeated(2, bytes),
  recentBlockhash: one(3, bytes),
  instructions: repeated(4, COMPILED_INSTRUCTION),
  /** Of versions 0 and 1. */
  versioned: one(5, bool),
  addressTableLookups: repeated(6, TABLE_LOOKUP),
  config: optional(7, MESSAGE_CONFIG),
});

const TRANSACTION_BODY = message({
  signatures: repeated(1, bytes),
  message: optional(2, TRANSACTION_MESSAGE),
});

const INNER_INSTRUCTION = message({
  programIdIndex: one(1, uint32),
  accounts: one(2, bytes),
  data: one(3, bytes),
  stackHeight: optional(4, uint32),
});

const INNER_INSTRUCTIONS = message({
  index: one(1, uint32),
  instructions: repeated(2, INNER_INSTRUCTION),
});

const UI_TOKEN_AMOUNT = message({
  uiAmount: one(1, double),
  decimals: one(2, uint32),
  /** Base units as decimal text. */
  amount: one(3, text),
  uiAmountString: one(4, text),
});

const TOKEN_BALANCE = message({
  accountIndex: one(1, uint32),
  mint: one(2, text),
  uiTokenAmount: optional(3, UI_TOKEN_AMOUNT),
  owner: one(4, text),
  programId: one(5, text),
});

const RETURN_DATA = message({ programId: one(1, bytes), data: one(2, bytes) });

const META = message({
  /** Null: it succeeded. */
  err: optional(1, TRANSACTION_ERROR),
  fee: one(2, uint64),
  preBalances: repeated(3, uint64),
  postBalances: repeated(4, uint64),
  innerInstructions: repeated(5, INNER_INSTRUCTIONS),
  logMessages: repeated(6, text),
  preTokenBalances: repeated(7, TOKEN_BALANCE),
  postTokenBalances: repeated(8, TOKEN_BALANCE),
  /** True: the node did not record them, so that an empty list means nothing. */
  innerInstructionsNone: one(10, bool),
  logMessagesNone: one(11, bool),
  loadedWritableAddresses: repeated(12, bytes),
  loadedReadonlyAddresses: repeated(13, bytes),
  returnData: optional(14, RETURN_DATA),
  returnDataNone: one(15, bool),
  computeUnitsConsumed: optional(16, uint64),
  costUnits: optional(17, uint64),
});

export const TRANSACTION_INFO = message({
  signature: one(1, bytes),
  isVote: one(2, bool),
  transaction: optional(3, TRANSACTION_BODY),
  meta: optional(4, META),
  /** Place in its block. */
  index: one(5, uint64),
});

export const TRANSACTION_UPDATE = message({
  transaction: optional(1, TRANSACTION_INFO),
  slot: one(2, uint64),
});

export const TRANSACTION_STATUS_UPDATE = message({
  slot: one(1, uint64),
  signature: one(2, bytes),
  isVote: one(3, bool),
  index: one(4, uint64),
  err: optional(5, TRANSACTION_ERROR),
});

export type TransactionUpdate = DecodedOf<typeof TRANSACTION_UPDATE>;
export type TransactionUpdateInput = InputOf<typeof TRANSACTION_UPDATE>;
export type TransactionInfo = DecodedOf<typeof TRANSACTION_INFO>;
export type TransactionInfoInput = InputOf<typeof TRANSACTION_INFO>;
export type TransactionMeta = DecodedOf<typeof META>;
export type TransactionMetaInput = InputOf<typeof META>;
export type TransactionBody = DecodedOf<typeof TRANSACTION_BODY>;
export type TransactionMessage = DecodedOf<typeof TRANSACTION_MESSAGE>;
export type TokenBalance = DecodedOf<typeof TOKEN_BALANCE>;
export type TokenBalanceInput = InputOf<typeof TOKEN_BALANCE>;
export type TransactionStatusUpdate = DecodedOf<typeof TRANSACTION_STATUS_UPDATE>;
