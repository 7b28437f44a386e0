import { userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { type ProgramIds, presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import type { StepContext } from '../action.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { registeredAccount, registration } from '../lending/user-registration.ts';
import { NO_FIGURES, type Preview } from '../preview.ts';
import { optionalAccount, type ReadAccounts } from '../read-accounts.ts';
import { warning } from '../warnings.ts';
import { accountRent, rentWarnings } from './rent.ts';

/** A wallet that wants to name its referrer, before any account is read. */
export interface NamingRequest {
  readonly programs: ProgramIds;
  readonly wallet: Address;
  readonly referrer: Address;
}

/** All inputs of a naming. */
export interface NamingAccounts {
  readonly request: NamingRequest;
  readonly payer: Address;
  /** Lamports of the payer; null when they are not read. */
  readonly payerLamports: bigint | null;
}

const refused = (reason: string) => new SluiceError('BUILD_REFUSED', { reason });

/** @throws BUILD_REFUSED for a wallet that names itself */
export function checkNaming({ wallet, referrer }: NamingRequest): void {
  if (wallet === referrer) throw refused('a wallet cannot be its own referrer');
}

/** Accounts to read, all in the first round. */
export const namingReads = ({ programs, wallet, referrer }: NamingRequest): Address[] => [
  wallet,
  userMetadataAddress(programs.klend, wallet).address,
  userMetadataAddress(programs.klend, referrer).address,
];

/** @throws BUILD_REFUSED when the wallet is registered already, or the referrer is not */
export function namingAccounts(
  request: NamingRequest,
  read: ReadAccounts,
  { payer }: Pick<StepContext, 'payer'>,
): NamingAccounts {
  const { wallet, referrer } = request;
  const own = metadataAt(request, read, wallet);
  if (own !== null) {
    const named = presentAddress(own.referrer);
    const state = named === null ? 'without a referrer' : `with referrer ${named}`;
    throw refused(
      `wallet ${wallet} is already registered ${state}, and the lending program takes a referrer only with the registration`,
    );
  }
  if (metadataAt(request, read, referrer) === null) {
    throw refused(
      `${referrer} is not registered with the lending program; it must set itself up as a referrer first`,
    );
  }
  return { request, payer, payerLamports: payer === wallet ? (read(wallet)?.lamports ?? 0n) : null };
}

function metadataAt({ programs }: NamingRequest, read: ReadAccounts, wallet: Address) {
  const { address } = userMetadataAddress(programs.klend, wallet);
  return optionalAccount(read, address, userMetadata, programs.klend);
}

/** Registers the wallet with its referrer. Every obligation that it opens afterwards has that referrer. */
export function buildNaming({ request, payer }: NamingAccounts): BuiltAction {
  const { programs, wallet, referrer } = request;
  return {
    amount: 0n,
    all: false,
    wrappedSol: null,
    instructions: [{ ...registration(programs, wallet, payer, referrer), setup: false }],
  };
}

export function namingPreview({ request, payerLamports }: NamingAccounts): Preview {
  const rent = accountRent([userMetadata.size]);
  const message = `Neither the wallet nor ${request.referrer} can change this later. It costs the wallet nothing: the referrer's share is a part of the fees of the protocol.`;
  return {
    ...NO_FIGURES,
    referrer: { referrer: request.referrer, registers: true, reserves: [], rent },
    warnings: [...rentWarnings(rent, payerLamports), warning('REFERRER_FINAL', message)],
  };
}

/** The accounts after a naming. */
export function namingChanges({ request, payer }: NamingAccounts, read: ReadAccounts): AccountChanges {
  const { programs, wallet, referrer } = request;
  const changes = new ChangedAccounts(read, payer);
  const { address } = userMetadataAddress(programs.klend, wallet);
  changes.create(address, programs.klend, registeredAccount(programs, wallet, referrer));
  return changes.changes;
}
