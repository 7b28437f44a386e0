import type { ErrorCode } from './codes.ts';
import type { ErrorContext } from './context.ts';

const at = (address: string | undefined) => (address === undefined ? '' : ` at ${address}`);

/** One sentence per code: what is wrong and, where the caller can act, what to do about it. */
export const ERROR_MESSAGES: { readonly [C in ErrorCode]: (context: ErrorContext[C]) => string } = {
  CONFIG_INVALID: ({ more = [], ...first }) =>
    [first, ...more].map(({ variable, allowed }) => `${variable}: ${allowed}`).join('\n'),
  CATALOGUE_INVALID: (c) => `The catalogue ${c.source} is not used: ${c.problems.join('; ')}`,
  INTERNAL: () => 'Something failed on our side. Quote the request id when you report it.',

  ADDRESS_INVALID: (c) => `"${c.value}" is not an address: give the base58 form of exactly 32 bytes.`,
  DECIMAL_INVALID: (c) =>
    `"${c.value}" is not a decimal: give plain notation such as "12.5", without an exponent.`,
  NUMBER_OUT_OF_RANGE: (c) => `${c.what} is ${c.value}; it must be from ${c.min} to ${c.max}.`,

  ACCOUNT_WRONG_OWNER: (c) =>
    `The account${at(c.address)} is not a ${c.account}: it belongs to program ${c.actual}, not ${c.expected}.`,
  ACCOUNT_WRONG_DISCRIMINATOR: (c) =>
    `The account${at(c.address)} is not a ${c.account}: its first bytes are ${c.actual}, not ${c.expected}.`,
  ACCOUNT_TOO_SHORT: (c) =>
    `The account${at(c.address)} is not a whole ${c.account}: it has ${c.actual} bytes, at least ${c.expected} are needed.`,
  ACCOUNT_MALFORMED: (c) => `The account${at(c.address)} is not a valid ${c.account}: ${c.reason}.`,
  ACCOUNT_NOT_FOUND: (c) => `There is no ${c.account} at ${c.address}.`,
  INSTRUCTION_UNKNOWN: (c) => `Program ${c.program} has no known instruction that starts with ${c.data}.`,
  INSTRUCTION_MALFORMED: (c) => `The instruction ${c.instruction} cannot be read: ${c.reason}.`,

  RPC_UNAVAILABLE: (c) =>
    c.attempts === 0
      ? `No RPC endpoint can be asked for ${c.method} now: all of them failed a moment ago. Try again shortly.`
      : `No RPC endpoint answered ${c.method} in ${c.attempts} attempts. Try again shortly.`,
  RPC_RATE_LIMITED: (c) =>
    `The RPC endpoints limit us on ${c.method}. This is not your own limit; try again shortly.`,
  RPC_TIMEOUT: (c) => `The RPC did not answer ${c.method} within ${c.timeoutMs} ms. Try again shortly.`,
  RPC_BAD_RESPONSE: (c) => `The RPC's answer to ${c.method} cannot be used: ${c.reason}.`,
  RPC_REFUSED: (c) => `The RPC refused ${c.method}: ${c.rpcMessage} (${c.rpcCode}).`,
  DEADLINE_EXCEEDED: (c) =>
    `${c.what} did not finish before the deadline of the request. Ask for less, or try again.`,
  REQUEST_CANCELLED: (c) => `${c.what} was cancelled by the caller.`,
  VIEW_NOT_READY: (c) => `The gateway is starting: ${c.reason}. Try again in a few seconds.`,
  HISTORY_DISABLED: (c) => `${c.what} needs recorded history, which this deployment does not keep.`,
  RECORDER_NOT_LEADER: (c) =>
    `The fence ${c.fence} may not write: ${c.current === null ? 'nobody leads yet' : `${c.current} is in force, so another recorder leads`}. Stop, and stand for leadership again.`,
  HISTORY_UNAVAILABLE: (c) =>
    `The database of the recorded history does not answer (${c.reason}). Try again shortly.`,
  HISTORY_SCHEMA_UNKNOWN: (c) =>
    `The database is not used: its migration ${c.migration} ${c.reason}. Start the version that made it, or name another database.`,
  CURSOR_INVALID: (c) =>
    `"${c.cursor}" is not a cursor of this list. Use a cursor with the filter and order that it came with.`,
  VIEW_GONE: (c) =>
    `View ${c.view} is gone; views ${c.oldest} to ${c.newest} are kept. Start again without a view number or cursor.`,
  MIN_SLOT_NOT_REACHED: (c) =>
    `The chain was read at slot ${c.slot}, before the wanted slot ${c.minSlot}. Try again shortly.`,

  UNAUTHENTICATED: (c) => `${c.reason}.`,
  KEYS_UNAVAILABLE: () => 'The keys of this gateway cannot be read yet. Try again shortly.',
  RATE_LIMITED: (c) =>
    `You may spend a cost of ${c.limit} in a minute, and this request goes over it. Try again in ${c.retryAfter} s.`,
  CROSS_SITE_REQUEST: () =>
    'A page of another site could have sent this request unasked. Send content-type: application/json, or a header x-csrf-prevention: 1.',
  // Clients know this one by its words.
  PERSISTED_QUERY_NOT_FOUND: () => 'PersistedQueryNotFound',
  PERSISTED_QUERY_MISMATCH: (c) => `extensions.persistedQuery cannot be used: ${c.reason}.`,
  PERSISTED_OPERATION_UNKNOWN: (c) => `There is no persisted operation "${c.id}".`,
  PERSISTED_OPERATIONS_ONLY: () =>
    'This gateway answers persisted operations alone. Name one by documentId or extensions.persistedQuery.',

  BAD_REQUEST: (c) => c.reason,
  CLUSTER_NOT_SERVED: (c) =>
    `This deployment serves ${c.served}, not ${c.asked}. Leave \`env\` out, or ask a deployment of ${c.asked}.`,
  BODY_TOO_LARGE: (c) => `The body of the request is larger than ${c.ceiling} bytes. Send less.`,
  GRAPHQL_PARSE_FAILED: (c) => c.reason,
  GRAPHQL_VALIDATION_FAILED: (c) => c.reason,
  OPERATION_RESOLUTION_FAILURE: (c) => c.reason,
  QUERY_TOO_LONG: (c) =>
    `The document has more than ${c.ceiling} tokens, or literals as long as so many. Ask in several requests.`,
  QUERY_TOO_DEEP: (c) =>
    `The query is ${c.depth} fields deep; the ceiling is ${c.ceiling}. Ask for the inner objects in a request of their own.`,
  QUERY_TOO_EXPENSIVE: (c) =>
    `The query costs ${c.cost}; the ceiling is ${c.ceiling}. Ask for smaller pages with \`first\`, or leave out nested lists.`,
  TOO_MANY_ALIASES: (c) =>
    `The query has ${c.aliases} aliases; the ceiling is ${c.ceiling}. Use a list field instead of one field per object.`,
  TOO_MANY_DIRECTIVES: (c) =>
    `The query has ${c.directives} directives; the ceiling is ${c.ceiling}. Leave some out.`,
  TOO_MANY_OVERLAPS: (c) =>
    `Fields and fragments of the query overlap so often that more than ${c.ceiling} pairs had to be compared. Ask for each field once.`,
  LIST_TOO_LONG: (c) =>
    `A list in the arguments has ${c.items} items; the ceiling is ${c.ceiling}. Ask in several requests.`,
  TOO_MANY_STREAMS: (c) =>
    c.whose === 'caller'
      ? `You have ${c.ceiling} streams open, which is the ceiling. Close one, or ask for several things in one stream.`
      : `The gateway serves ${c.ceiling} streams, which is its ceiling. Try again shortly.`,
  STREAM_NOT_ACCEPTED: () =>
    'A subscription is answered as a stream of events. Send `accept: text/event-stream`.',
  NODE_BUDGET_EXCEEDED: (c) =>
    `The answer has more than ${c.ceiling} objects. Ask for smaller pages with \`first\`, or leave out nested lists.`,

  AMOUNT_NOT_POSITIVE: (c) => `The amount is ${c.amount}; give one greater than zero.`,
  AMOUNT_TOO_MANY_DECIMALS: (c) =>
    `The amount ${c.amount} has more decimals than the token, which has ${c.decimals}. Round it first; nothing is cut off silently.`,
  DECIMAL_TO_LAMPORTS_OVERFLOW: (c) =>
    `The amount ${c.amount} does not fit: with ${c.decimals} decimals it is beyond 64 bits, or it stands for "all", which this action does not take.`,
  KLEND_MARKET_NOT_FOUND: (c) => `There is no lending market at ${c.market}.`,
  KLEND_RESERVE_NOT_FOUND: (c) => `There is no reserve at ${c.reserve}.`,
  RESERVE_NOT_IN_MARKET: (c) =>
    `Reserve ${c.reserve} belongs to market ${c.actual}, not ${c.market}. Name the market that it belongs to.`,
  KLEND_OBLIGATION_NOT_FOUND: (c) =>
    `There is no obligation at ${c.obligation}: deposit first, or name another obligation.`,
  KLEND_POSITION_NOT_FOUND: (c) => `Obligation ${c.obligation} has no ${c.side} in reserve ${c.reserve}.`,
  KVAULT_NOT_FOUND: (c) => `There is no vault at ${c.vault}.`,
  KVAULT_POSITION_NOT_FOUND: (c) =>
    `Wallet ${c.wallet} holds no shares of vault ${c.vault}, so there is nothing to withdraw.`,
  TRANSACTION_SIZE_ERROR: (c) =>
    `The transaction takes ${c.sizeBytes} bytes, of which ${c.sizeLimit} fit, and names ${c.accounts} accounts, of which ${c.accountLimit} may be named. ${
      c.accounts > c.accountLimit ? 'Send' : 'Name a lookup table that holds its accounts, or send'
    } its instructions in several transactions.`,
  BUILD_REFUSED: (c) => `This cannot be built: ${c.reason}.`,
};
