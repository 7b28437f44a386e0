import { referrerTokenStateAddress, userMetadataAddress } from '@sluice/protocol/klend/addresses';
import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import type { StepContext } from '../action.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { marketAt, reserveAt } from '../lending/request.ts';
import { missingReferrerStates } from '../lending/setup.ts';
import { registeredAccount, registration } from '../lending/user-registration.ts';
import { NO_FIGURES, type Preview } from '../preview.ts';
import { distinct, optionalAccount, programAccount, type ReadAccounts } from '../read-accounts.ts';
import { symbolsFrom } from '../token-symbol.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import { accountRent, rentWarnings } from './rent.ts';

/** A requested set-up of a referrer, before any account is read. */
export interface SetUpRequest {
  readonly programs: ProgramIds;
  /** The referrer, who signs if it must be registered. */
  readonly wallet: Address;
  readonly market: Address;
  readonly reserves: readonly Address[];
}

/** An account for the fees of one reserve. */
interface FeeAccount {
  readonly reserve: Address;
  readonly symbol: string;
  readonly address: Address;
  readonly exists: boolean;
}

/** All inputs of a set-up. */
export interface SetUpAccounts {
  readonly request: SetUpRequest;
  readonly payer: Address;
  readonly market: LendingMarket;
  readonly isRegistered: boolean;
  readonly feeAccounts: readonly FeeAccount[];
  /** Lamports of the payer; null when they are not read. */
  readonly payerLamports: bigint | null;
}

const feeAccountOf = ({ programs, wallet }: SetUpRequest, reserve: Address): Address =>
  referrerTokenStateAddress(programs.klend, wallet, reserve).address;

const metadataOf = ({ programs, wallet }: SetUpRequest): Address =>
  userMetadataAddress(programs.klend, wallet).address;

/** Accounts to read, all in the first round. */
export function setUpReads(request: SetUpRequest): Address[] {
  const { wallet, market, reserves } = request;
  return distinct([
    market,
    wallet,
    metadataOf(request),
    ...reserves.flatMap((reserve) => [reserve, feeAccountOf(request, reserve)]),
  ]);
}

/** @throws KLEND_MARKET_NOT_FOUND, KLEND_RESERVE_NOT_FOUND or RESERVE_NOT_IN_MARKET */
export function setUpAccounts(
  request: SetUpRequest,
  read: ReadAccounts,
  { payer }: Pick<StepContext, 'payer'>,
): SetUpAccounts {
  const { programs, wallet, market, reserves } = request;
  return {
    request,
    payer,
    market: marketAt(read, market, programs.klend),
    isRegistered: optionalAccount(read, metadataOf(request), userMetadata, programs.klend) !== null,
    feeAccounts: reserves.map((reserve) => {
      const account = reserveAt(read, reserve, programs.klend);
      checkMarket(reserve, account, market);
      const address = feeAccountOf(request, reserve);
      return {
        reserve,
        symbol: symbolsFrom(read)(account),
        address,
        exists: programAccount(read, address) !== null,
      };
    }),
    payerLamports: payer === wallet ? (read(wallet)?.lamports ?? 0n) : null,
  };
}

function checkMarket(reserve: Address, { lendingMarket: actual }: Reserve, market: Address): void {
  if (actual !== market) throw new SluiceError('RESERVE_NOT_IN_MARKET', { reserve, market, actual });
}

const missing = ({ feeAccounts }: SetUpAccounts) => feeAccounts.filter(({ exists }) => !exists);

/**
 * Registers the wallet if needed, so that others can name it as their referrer, and opens its accounts for the fees of the
 * reserves. Without one, the first borrower whom it referred pays for it.
 *
 * @throws BUILD_REFUSED when nothing is missing
 */
export function buildSetUp(accounts: SetUpAccounts): BuiltAction {
  const { request, payer, isRegistered } = accounts;
  const opened = missing(accounts);
  if (isRegistered && opened.length === 0) {
    const reason = `wallet ${request.wallet} is set up as a referrer in all of these reserves`;
    throw new SluiceError('BUILD_REFUSED', { reason });
  }
  return {
    amount: 0n,
    all: false,
    wrappedSol: null,
    divisible: true,
    instructions: [
      ...(isRegistered ? [] : [registration(request.programs, request.wallet, payer, null)]),
      ...missingReferrerStates({ request, payer, referrer: request.wallet, referrerStates: opened }),
    ].map((each) => ({ ...each, setup: false })),
  };
}

export function setUpPreview(accounts: SetUpAccounts): Preview {
  const { request, market, isRegistered, payerLamports } = accounts;
  const opened = missing(accounts);
  const rent = accountRent([
    ...(isRegistered ? [] : [userMetadata.size]),
    ...opened.map(() => referrerTokenState.size),
  ]);
  return {
    ...NO_FIGURES,
    referrer: {
      referrer: request.wallet,
      registers: !isRegistered,
      reserves: opened.map(({ reserve }) => reserve),
      rent,
    },
    warnings: [...rentWarnings(rent, payerLamports), ...(market.referralFeeBps === 0 ? [feeOff()] : [])],
  };
}

function feeOff(): BuildWarning {
  return warning(
    'REFERRAL_FEE_OFF',
    'The market pays referrers no share of its fees at present. The accounts earn only once it does.',
  );
}

/** The accounts after a set-up. */
export function setUpChanges(accounts: SetUpAccounts, read: ReadAccounts): AccountChanges {
  const { request, payer, isRegistered } = accounts;
  const { programs, wallet: referrer } = request;
  const changes = new ChangedAccounts(read, payer);
  if (!isRegistered) {
    changes.create(metadataOf(request), programs.klend, registeredAccount(programs, referrer, null));
  }
  for (const { reserve, address } of missing(accounts)) {
    const { bump } = referrerTokenStateAddress(programs.klend, referrer, reserve);
    const { mintPubkey: mint } = reserveAt(read, reserve, programs.klend).liquidity;
    changes.create(
      address,
      programs.klend,
      referrerTokenState.encode({ referrer, mint, bump: BigInt(bump) }),
    );
  }
  return changes.changes;
}
