import type { RpcRequest } from './rpc-request.ts';

type Json = Readonly<Record<string, unknown>>;
type ShapeCheck = (result: unknown, request: RpcRequest) => boolean;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isUnsigned = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' ? value >= 0n : Number.isInteger(value) && Number(value) >= 0;

/** Account data: text, or already decoded. */
const isData = (value: unknown): boolean => typeof value === 'string' || value instanceof Uint8Array;
const isAccount = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.owner === 'string' &&
  isUnsigned(value.lamports) &&
  (Array.isArray(value.data) ? isData(value.data[0]) : value.data !== undefined);
const isOwnedAccount = (value: unknown): boolean =>
  isObject(value) && typeof value.pubkey === 'string' && isAccount(value.account);

/** `{ context: { slot }, value }`, with a check of the value. */
const inContext =
  (check: (value: unknown, request: RpcRequest) => boolean): ShapeCheck =>
  (result, request) =>
    isObject(result) && slotOfContext(result) !== null && check(result.value, request);
const isListOf = (check: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(check);

const programAccounts = isListOf(isOwnedAccount);
const asksForContext = ({ params }: RpcRequest) => isObject(params[1]) && params[1].withContext === true;

/** Minimal shape of each method's result. Other methods may return anything, including null. */
const SHAPES: ReadonlyMap<string, ShapeCheck> = new Map<string, ShapeCheck>([
  ['getSlot', isUnsigned],
  ['getBlockHeight', isUnsigned],
  ['getMinimumBalanceForRentExemption', isUnsigned],
  [
    'getLatestBlockhash',
    inContext((v) => isObject(v) && typeof v.blockhash === 'string' && isUnsigned(v.lastValidBlockHeight)),
  ],
  [
    'getRecentPrioritizationFees',
    isListOf((v) => isObject(v) && isUnsigned(v.slot) && isUnsigned(v.prioritizationFee)),
  ],
  ['getAccountInfo', inContext((v) => v === null || isAccount(v))],
  ['getMultipleAccounts', inContext(isAnswerToAll)],
  [
    'getProgramAccounts',
    (r, q) => (programAccounts(r) && !asksForContext(q)) || inContext(programAccounts)(r, q),
  ],
  ['getTokenAccountsByOwner', inContext(programAccounts)],
  ['getBalance', inContext(isUnsigned)],
  ['simulateTransaction', inContext(isObject)],
  ['getSignatureStatuses', inContext(isStatusOfEach)],
  ['isBlockhashValid', inContext((v) => typeof v === 'boolean')],
  ['sendTransaction', (v) => typeof v === 'string'],
  ['getSignaturesForAddress', isListOf((v) => isObject(v) && typeof v.signature === 'string')],
  ['getEpochInfo', isObject],
  [
    'getEpochSchedule',
    (v) =>
      isObject(v) &&
      isUnsigned(v.slotsPerEpoch) &&
      v.slotsPerEpoch > 0 &&
      isUnsigned(v.firstNormalEpoch) &&
      isUnsigned(v.firstNormalSlot),
  ],
]);

/** Whether a result has the shape that callers rely on. The codecs check the account data later. */
export function hasExpectedShape(result: unknown, request: RpcRequest): boolean {
  return SHAPES.get(request.method)?.(result, request) ?? true;
}

/** The slot of a result; null when it has none. */
export function slotOfResult(result: unknown, method: string): number | null {
  if (method === 'getSlot') return Number(result);
  return isObject(result) ? slotOfContext(result) : null;
}

function slotOfContext(result: Json): number | null {
  return isObject(result.context) && isUnsigned(result.context.slot) ? Number(result.context.slot) : null;
}

function isStatusOfEach(value: unknown, { params: [signatures] }: RpcRequest): boolean {
  return (
    Array.isArray(value) &&
    Array.isArray(signatures) &&
    value.length === signatures.length &&
    value.every((status) => status === null || (isObject(status) && isUnsigned(status.slot)))
  );
}

function isAnswerToAll(value: unknown, { params: [addresses] }: RpcRequest): boolean {
  return (
    Array.isArray(value) &&
    Array.isArray(addresses) &&
    value.length === addresses.length &&
    value.every((account) => account === null || isAccount(account))
  );
}
