import { FAILURE_TEXTS } from '../runtime/failure-texts.ts';
import type { TransactionFailure } from '../runtime/outcome.ts';

/** Texts of nodes for a failure; clients show these texts and some match on them. */
const TEXTS: Readonly<Record<string, string>> = {
  AccountLoadedTwice: 'Account loaded twice',
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  InvalidAddressLookupTableData: 'Transaction loads an address table account with invalid data',
  InvalidAddressLookupTableIndex: 'Transaction address table lookup uses an invalid index',
  InvalidAddressLookupTableOwner: 'Transaction loads an address table account with an invalid owner',
  InvalidProgramForExecution: 'This program may not be used for executing instructions',
  MaxLoadedAccountsDataSizeExceeded: 'Transaction exceeded max loaded accounts data size cap',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
  SignatureFailure: 'Transaction did not pass signature verification',
  TooManyAccountLocks: 'Transaction locked too many accounts',
  UnsupportedVersion: 'Transaction version is unsupported',
};

export function failureText(failure: TransactionFailure): string {
  if (typeof failure === 'string') return TEXTS[failure] ?? words(failure);
  if ('InstructionError' in failure) {
    const [index, reason] = failure.InstructionError;
    const text =
      typeof reason === 'string'
        ? (FAILURE_TEXTS[reason] ?? words(reason))
        : `custom program error: 0x${reason.Custom.toString(16)}`;
    return `Error processing Instruction ${index}: ${text}`;
  }
  const [name, detail] = Object.entries(failure)[0] ?? ['Unknown', null];
  return `${words(name)} (${JSON.stringify(detail)})`;
}

/** `InvalidArgument` becomes `Invalid argument`. */
function words(name: string): string {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
