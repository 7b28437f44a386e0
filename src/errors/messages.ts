import { PROTOCOL_MESSAGES } from '@sluice/protocol/protocol-error';
import { RPC_MESSAGES } from '@sluice/rpc-pool/rpc-error';
import type { ErrorCode } from './codes.ts';
import type { ErrorContext } from './context.ts';

/** One message per code: what happened and, where the caller can act, what to do next. */
export const ERROR_MESSAGES: { readonly [C in ErrorCode]: (context: ErrorContext[C]) => string } = {
  CONFIG_INVALID: ({ more = [], ...first }) =>
    [first, ...more].map(({ variable, allowed }) => `${variable}: ${allowed}`).join('\n'),
  CATALOGUE_INVALID: (c) => `The ${c.kind ?? 'catalogue'} ${c.source} was rejected: ${c.problems.join('; ')}`,
  INTERNAL: () => 'Internal error. Report it with the request id.',

  ...PROTOCOL_MESSAGES,
  ACCOUNT_NOT_FOUND: (c) => `There is no ${c.account} at ${c.address}.`,

  ...RPC_MESSAGES,
  DEADLINE_EXCEEDED: (c) =>
    `${c.what} did not finish before the request deadline. Request less data, or try again.`,
  VIEW_NOT_READY: (c) => `The gateway is starting: ${c.reason}. Try again in a few seconds.`,
  HISTORY_DISABLED: (c) =>
    `${c.what} needs recorded history, and this deployment has none. The operator can enable it with DATABASE_URL.`,
  HISTORY_STARTING: (c) =>
    `History is starting: ${c.reason}${c.percent === null ? '' : ` (${c.percent} % done)`}. Try again in a few seconds.`,
  NOT_LEADER: (c) =>
    `Fencing token ${c.fence} is not valid for writing: ${c.current === null ? 'no process holds the lease yet' : `another process holds the lease with token ${c.current}`}. Stop and acquire the lease again.`,
  HISTORY_UNAVAILABLE: (c) => `The history database is unavailable (${c.reason}). Try again shortly.`,
  HISTORY_SCHEMA_UNKNOWN: (c) =>
    `The database cannot be used: its migration ${c.migration} ${c.reason}. Start the version that created it, or configure another database.`,
  TRANSACTIONS_BUSY: (c) =>
    c.whose === 'caller'
      ? `The transactions of ${c.ceiling} addresses are being read for you, which is the limit. Wait for some of the answers, then try again.`
      : `The gateway is reading the transactions of ${c.ceiling} addresses, which is its limit. Try again shortly.`,
  TRANSACTIONS_UNREAD: (c) =>
    `The transactions of ${c.address} have not been read from the chain yet${c.reason === null ? '' : ` (${c.reason})`}. Try again shortly.`,
  CURSOR_INVALID: (c) =>
    `"${c.cursor}" is not a cursor of this list. Use a cursor with the same filter and order as the query that returned it.`,
  VIEW_GONE: (c) =>
    `View "${c.view}" has expired or belongs to another gateway; the newest here is "${c.newest}". Start again without it.`,
  MIN_SLOT_NOT_REACHED: (c) =>
    `The newest slot that the gateway has read is ${c.slot}, not yet ${c.minSlot}. Try again shortly.`,

  UNAUTHENTICATED: (c) => `${c.reason}.`,
  KEYS_UNAVAILABLE: () => 'The gateway cannot read its API keys yet. Try again shortly.',
  RATE_LIMITED: (c) =>
    c.invalidKeys === true
      ? `More than ${c.limit} requests with an invalid API key came from your address within a minute. Correct the key, and try again in ${c.retryAfter} s.`
      : `This request exceeds your limit of ${c.limit} cost units per minute. Try again in ${c.retryAfter} s.`,
  CROSS_SITE_REQUEST: () =>
    'Blocked as a possible cross-site request. Send content-type: application/json, or the header x-csrf-prevention: 1.',
  ORIGIN_NOT_ALLOWED: () =>
    'Pages of this origin may not use the MCP server. Add the origin to CORS_ORIGINS, or connect without a browser.',
  // Clients of automatic persisted queries match this exact message.
  PERSISTED_QUERY_NOT_FOUND: () => 'PersistedQueryNotFound',
  PERSISTED_QUERY_MISMATCH: (c) => `extensions.persistedQuery is invalid: ${c.reason}.`,
  PERSISTED_OPERATION_UNKNOWN: (c) =>
    `There is no persisted operation "${c.id}". Check the id, or register the operation with this gateway.`,
  PERSISTED_OPERATIONS_ONLY: () =>
    'This gateway runs only persisted operations. Send the id of one as documentId or in extensions.persistedQuery.',

  BAD_REQUEST: (c) => c.reason,
  CLUSTER_NOT_SERVED: (c) =>
    `This deployment serves ${c.served}, not ${c.asked}. Omit \`env\`, or use a deployment that serves ${c.asked}.`,
  BODY_TOO_LARGE: (c) => `The request body is larger than ${c.ceiling} bytes. Send a smaller one.`,
  UNSUPPORTED_MEDIA_TYPE: () =>
    'The body must be JSON. Send it with "Content-Type: application/json", also where it is empty.',
  INPUT_TOO_DEEP: (c) => `The input is nested more than ${c.ceiling} levels deep. Send a flatter one.`,
  GRAPHQL_PARSE_FAILED: (c) => c.reason,
  GRAPHQL_VALIDATION_FAILED: (c) => c.reason,
  OPERATION_RESOLUTION_FAILURE: (c) => c.reason,
  QUERY_TOO_LONG: (c) =>
    `The document is longer than ${c.ceiling} tokens; long literals count as several. Split it into several requests.`,
  QUERY_TOO_DEEP: (c) =>
    `The query is ${c.depth} fields deep; the limit is ${c.ceiling}. Fetch the inner objects in a separate request.`,
  QUERY_TOO_EXPENSIVE: (c) =>
    `The query costs ${c.cost}; the limit is ${c.ceiling}. Request smaller pages with \`first\`, or omit nested lists.`,
  TOO_MANY_ALIASES: (c) =>
    `The query has ${c.aliases} aliases; the limit is ${c.ceiling}. Use a list field instead of one field per object.`,
  TOO_MANY_DIRECTIVES: (c) =>
    `The query has ${c.directives} directives; the limit is ${c.ceiling}. Remove some.`,
  TOO_MANY_OVERLAPS: (c) =>
    `Fields and fragments of the query overlap in more than ${c.ceiling} pairs. Select each field once.`,
  LIST_TOO_LONG: (c) =>
    `A list in the arguments has ${c.items} items; the limit is ${c.ceiling}. Split it into several requests.`,
  TOO_MANY_STREAMS: (c) =>
    c.whose === 'caller'
      ? `You have ${c.ceiling} streams open, which is the limit. Close one, or subscribe to several objects in one stream.`
      : `The gateway has ${c.ceiling} streams open, which is its limit. Try again shortly.`,
  STREAM_NOT_ACCEPTED: () =>
    'Subscriptions are delivered as an event stream. Send `accept: text/event-stream`.',
  NODE_BUDGET_EXCEEDED: (c) =>
    `The answer needs more than ${c.ceiling} objects and steps of work. Request smaller pages with \`first\`, fewer points or fewer scenarios, or omit nested lists.`,
  ANSWER_TOO_LARGE: (c) =>
    `The answer has more than ${c.ceiling} characters, which is too much for a model. Select fewer fields, or ask for fewer items.`,
  GATEWAY_UNREACHABLE: (c) =>
    `No gateway answers at ${c.url}. Start one with npm start, or pass its address with --url.`,

  SHOCK_INVALID: (c) => `The supposed price of ${c.mint} ${c.reason}.`,
  SHOCK_MINT_UNKNOWN: (c) =>
    `No reserve has the mint ${c.mint}, so it has no price to change. Check the mint.`,
  RATE_INVALID: (c) => `The supposed rate of reserve ${c.reserve} ${c.reason}.`,
  WEIGHT_INVALID: (c) => `The weight of reserve ${c.reserve} ${c.reason}.`,
  AMOUNT_NOT_POSITIVE: (c) => `The amount is ${c.amount}. It must be greater than zero.`,
  AMOUNT_TOO_MANY_DECIMALS: (c) =>
    `The amount ${c.amount} has more decimal places than the token, which has ${c.decimals}. Round it first.`,
  DECIMAL_TO_LAMPORTS_OVERFLOW: (c) =>
    `The amount ${c.amount} is too large: with ${c.decimals} decimals it exceeds 64 bits, or it means "all", which this action does not accept. Pass a smaller amount.`,
  SEASON_NOT_FOUND: (c) =>
    `This deployment has no airdrop of the season "${c.source}". The operator can import one with SEASONS_FILE.`,
  KLEND_MARKET_NOT_FOUND: (c) => `There is no lending market at ${c.market}. Check the address.`,
  KLEND_RESERVE_NOT_FOUND: (c) => `There is no reserve at ${c.reserve}. Check the address.`,
  RESERVE_NOT_IN_MARKET: (c) =>
    `Reserve ${c.reserve} belongs to market ${c.actual}, not ${c.market}. Pass the market that it belongs to.`,
  KLEND_OBLIGATION_NOT_FOUND: (c) =>
    `There is no obligation at ${c.obligation}. Deposit first, or pass another obligation.`,
  KLEND_POSITION_NOT_FOUND: (c) =>
    `Obligation ${c.obligation} has no ${c.side} in reserve ${c.reserve}. Check the reserve.`,
  KLEND_TICKET_NOT_FOUND: (c) =>
    `There is no withdraw ticket at ${c.ticket}. Check the address; a ticket is closed once it is paid.`,
  KVAULT_NOT_FOUND: (c) => `There is no vault at ${c.vault}. Check the address.`,
  CURATOR_NOT_FOUND: (c) =>
    `${c.curator} is the admin authority of no vault, and no curator of the catalogue has it. Pass the admin authority of a vault.`,
  KVAULT_POSITION_NOT_FOUND: (c) =>
    `Wallet ${c.wallet} holds no shares of vault ${c.vault}. There is nothing to withdraw.`,
  NOT_VAULT_ADMIN: (c) =>
    `Wallet ${c.wallet} must not do this to vault ${c.vault}: ${c.allowed}. Pass that wallet.`,
  FARM_STAKE_NOT_FOUND: (c) =>
    `Wallet ${c.wallet} has no stake in farm ${c.farm}. Check the address, or omit the farms to claim from all.`,
  NOTHING_TO_CLAIM: (c) => `Wallet ${c.wallet} has nothing to claim: ${c.reason}.`,
  TRANSACTION_SIZE_ERROR: (c) =>
    `The transaction is ${c.sizeBytes} bytes (limit ${c.sizeLimit}) and uses ${c.accounts} accounts (limit ${c.accountLimit}). ${
      c.isClaim
        ? 'Name fewer farms, or claim with buildClaimRewards in GraphQL, which splits a claim'
        : c.accounts > c.accountLimit
          ? 'Split its instructions'
          : 'Pass a lookup table that holds its accounts, or split its instructions'
    } into several transactions.`,
  ORDER_CANNOT_TRIGGER: (c) => `The order can never trigger, so nothing was built: ${c.reason}.`,
  BUILD_REFUSED: (c) => `The transaction cannot be built: ${c.reason}.`,
  SWAP_REFUSED: (c) =>
    c.instruction === null
      ? `The swap cannot be used: ${c.reason}.`
      : `Instruction ${c.instruction} of the swap cannot be used: ${c.reason}.`,
  QUOTES_OFF: () =>
    'This deployment does not quote swaps: pass `swap` with the instructions of a router. The operator can enable quotes with QUOTE_URL.',
  QUOTE_REFUSED: (c) =>
    `The quote for the swap cannot be used: ${c.reason}. Try another amount, or pass \`swap\` with the instructions of a router.`,
  QUOTE_UNAVAILABLE: (c) =>
    `The source of quotes is unavailable: ${c.reason}. Try again in ${c.retryAfter} s, or pass \`swap\` with the instructions of a router.`,
  FEE_PAYER_INVALID: (c) => `The fee payer cannot be used: ${c.reason}.`,
  MEMO_INVALID: (c) => `The memo cannot be used: ${c.reason}.`,
  DURABLE_NONCE_INVALID: (c) => `The durable nonce cannot be used: ${c.reason}.`,
  PRIORITY_FEE_INVALID: (c) => `The priority fee cannot be used: ${c.reason}.`,
  TIP_INVALID: (c) => `The tip cannot be used: ${c.reason}.`,

  LOOKUP_TABLES_READ_ONLY: (c) =>
    `Lookup tables cannot be registered here: they are read from the chain. Vault ${c.vault} has ${c.table === null ? 'none' : `table ${c.table}`} in its account. The admin of the vault sets it there, and the gateway shows it from the next View on.`,

  SENDING_DISABLED: () =>
    'This deployment does not send transactions: send the signed transaction to an RPC endpoint. The operator can enable sending with SEND_TRANSACTIONS=on.',
  SENDING_BUSY: (c) =>
    `${
      c.whose === 'client'
        ? `${c.ceiling} transactions of yours are being sent, which is the limit of a client`
        : c.whose === 'feePayer'
          ? `${c.ceiling} transactions of this fee payer are being sent, which is its limit`
          : `The gateway is sending ${c.ceiling} transactions, which is its limit`
    }. Try again in ${c.retryAfter} s.`,
  DURABLE_NONCE_BUSY: (c) =>
    `Transaction ${c.signature} with the same durable nonce${c.account === null ? '' : ` (${c.account})`} is being sent, and only one of them can land. Follow that one; send this one when it has failed or has been pending for two minutes.`,
  TRANSACTION_MALFORMED: (c) =>
    `The transaction cannot be decoded: ${c.reason}. Pass a signed transaction in wire format, in base64.`,
  TRANSACTION_TOO_LARGE: (c) =>
    `The transaction is ${c.sizeBytes} bytes long; the network accepts ${c.sizeLimit}. Split its instructions into several transactions.`,
  TRANSACTION_UNSIGNED: (c) =>
    `The transaction lacks the signature of ${c.signers.join(', ')}. Sign it before sending: the gateway never signs.`,
  TRANSACTION_SIGNATURE_INVALID: (c) =>
    `The signature of ${c.signers.join(', ')} does not match the transaction, which may have been changed after signing. Sign it again.`,
  SIGNATURE_MALFORMED: (c) => `"${c.value}" is not a transaction signature. Pass 64 bytes in base58.`,

  ALERTS_DISABLED: () =>
    'This deployment has no alerts. The operator can enable them with ALERT_SECRET and DATABASE_URL.',
  ALERT_INVALID: (c) => `The alert is invalid: ${c.reason}.`,
  ALERT_URL_REFUSED: (c) => `The URL of the receiver is refused: ${c.reason}.`,
  ALERT_NOT_FOUND: (c) => `Your key has no alert ${c.alert}. List them with \`alerts\`.`,
  DELIVERY_NOT_FOUND: (c) =>
    `Your key has no delivery ${c.delivery}. Deliveries are deleted some days after they ended.`,
  TOO_MANY_ALERTS: (c) =>
    c.whose === 'key'
      ? `Your key has ${c.ceiling} alerts, which is the limit. Delete some first.`
      : `This deployment has ${c.ceiling} alerts, which is its limit. Ask its operator for more.`,
  TOO_MANY_TESTS: (c) =>
    `The gateway sent ${c.ceiling} test messages for ${c.whose === 'alert' ? 'this alert' : 'the alerts of your key'} within a minute, which is the limit. Try again in ${c.retryAfter} s.`,
};
