import { malformed } from './errors.ts';

/** Errors of a transaction in the JSON shape of the RPC: a name, or a name with its content. */
export type TransactionErrorJson = string | { readonly [name: string]: unknown };

/** In the order of the cluster's enumeration, which is their number on the wire. */
const TRANSACTION_ERRORS: readonly string[] =
  `AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound InsufficientFundsForFee InvalidAccountForFee
  AlreadyProcessed BlockhashNotFound InstructionError CallChainTooDeep MissingSignatureForFee InvalidAccountIndex
  SignatureFailure InvalidProgramForExecution SanitizeFailure ClusterMaintenance AccountBorrowOutstanding
  WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount WouldExceedMaxAccountCostLimit
  WouldExceedAccountDataBlockLimit TooManyAccountLocks AddressLookupTableNotFound InvalidAddressLookupTableOwner
  InvalidAddressLookupTableData InvalidAddressLookupTableIndex InvalidRentPayingAccount WouldExceedMaxVoteCostLimit
  WouldExceedAccountDataTotalLimit DuplicateInstruction InsufficientFundsForRent MaxLoadedAccountsDataSizeExceeded
  InvalidLoadedAccountsDataSizeLimit ResanitizationNeeded ProgramExecutionTemporarilyRestricted UnbalancedTransaction
  ProgramCacheHitMaxLimit CommitCancelled`.split(/\s+/);

const INSTRUCTION_ERRORS: readonly string[] =
  `GenericError InvalidArgument InvalidInstructionData InvalidAccountData AccountDataTooSmall InsufficientFunds
  IncorrectProgramId MissingRequiredSignature AccountAlreadyInitialized UninitializedAccount UnbalancedInstruction
  ModifiedProgramId ExternalAccountLamportSpend ExternalAccountDataModified ReadonlyLamportChange ReadonlyDataModified
  DuplicateAccountIndex ExecutableModified RentEpochModified NotEnoughAccountKeys AccountDataSizeChanged
  AccountNotExecutable AccountBorrowFailed AccountBorrowOutstanding DuplicateAccountOutOfSync Custom InvalidError
  ExecutableDataModified ExecutableLamportChange ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth
  MissingAccount ReentrancyNotAllowed MaxSeedLengthExceeded InvalidSeeds InvalidRealloc ComputationalBudgetExceeded
  PrivilegeEscalation ProgramEnvironmentSetupFailure ProgramFailedToComplete ProgramFailedToCompile Immutable
  IncorrectAuthority BorshIoError AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar
  IllegalOwner MaxAccountsDataAllocationsExceeded MaxAccountsExceeded MaxInstructionTraceLengthExceeded
  BuiltinProgramsMustConsumeComputeUnits`.split(/\s+/);

const INSTRUCTION_ERROR = 'InstructionError';
const DUPLICATE_INSTRUCTION = 'DuplicateInstruction';
/** Their content is the index of an account. */
const OF_AN_ACCOUNT = ['InsufficientFundsForRent', 'ProgramExecutionTemporarilyRestricted'];

/** Decodes `TransactionStatusMeta.err`, which is bincode. Throws a GeyserError when it is none. */
export function decodeTransactionError(bytes: Uint8Array): TransactionErrorJson {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const name = nameOf(TRANSACTION_ERRORS, view.getUint32(0, true));
    if (name === DUPLICATE_INSTRUCTION) return { [name]: view.getUint8(4) };
    if (OF_AN_ACCOUNT.includes(name)) return { [name]: { account_index: view.getUint8(4) } };
    if (name !== INSTRUCTION_ERROR) return name;
    const inner = nameOf(INSTRUCTION_ERRORS, view.getUint32(5, true));
    return { [name]: [view.getUint8(4), inner === 'Custom' ? { Custom: view.getUint32(9, true) } : inner] };
  } catch (error) {
    if (error instanceof RangeError) throw malformed('its transaction error is cut off');
    throw error;
  }
}

/** The reverse, for servers. Throws a RangeError for an error that the cluster does not know. */
export function encodeTransactionError(error: TransactionErrorJson): Uint8Array {
  if (typeof error === 'string') return uint32(indexOf(TRANSACTION_ERRORS, error));
  const [name = '', content] = Object.entries(error)[0] ?? [];
  const head = uint32(indexOf(TRANSACTION_ERRORS, name));
  if (typeof content === 'number') return Buffer.concat([head, Uint8Array.of(content)]);
  if (!Array.isArray(content)) {
    const { account_index: index } = content as { account_index: number };
    return Buffer.concat([head, Uint8Array.of(index)]);
  }
  const [instruction, inner] = content as [number, string | { readonly Custom: number }];
  const code =
    typeof inner === 'string'
      ? uint32(indexOf(INSTRUCTION_ERRORS, inner))
      : Buffer.concat([uint32(indexOf(INSTRUCTION_ERRORS, 'Custom')), uint32(inner.Custom)]);
  return Buffer.concat([head, Uint8Array.of(instruction), code]);
}

function nameOf(names: readonly string[], index: number): string {
  return names[index] ?? `Unknown${index}`;
}

function indexOf(names: readonly string[], name: string): number {
  const index = names.indexOf(name);
  if (index < 0) throw new RangeError(`no transaction error ${name}`);
  return index;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
