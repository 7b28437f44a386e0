import type { Address } from '@solana/kit';
import { farmUserState } from '../programs/farms/addresses.ts';
import {
  marketAuthority,
  referrerTokenStateAddress,
  userMetadataAddress,
} from '../programs/klend/addresses.ts';
import type { Reserve } from '../programs/klend/reserve.ts';
import { readText } from '../programs/layout/codec.ts';
import { presentAddress, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../programs/program-ids.ts';
import { associatedTokenAddress } from '../programs/token/addresses.ts';
import {
  farmOf,
  type LendingOutline,
  type LendingRequest,
  lendingOutline,
  liquidityTokenProgram,
  obligationReserves,
  referredReserves,
  reserveAt,
} from './lending-request.ts';
import { type UsableTable, usableTables } from './lookup-tables.ts';
import { programAccount, type ReadAccounts, type WalletToken, walletToken } from './read-accounts.ts';

/** The obligation's stake in the reserve's farm, on the side acted on. */
export interface ObligationFarm {
  readonly farm: Address;
  readonly user: Address;
  /** Whether the stake account exists. */
  readonly exists: boolean;
}

/** The account that holds a referrer's earnings in one reserve. */
export interface ReferrerState {
  readonly reserve: Address;
  readonly address: Address;
  readonly exists: boolean;
}

/** All inputs of a lending action. */
export interface LendingAccounts extends LendingOutline {
  readonly request: LendingRequest;
  readonly marketAuthority: Address;
  readonly userMetadataAddress: Address;
  /** The obligation's reserves and the one acted on, by address. */
  readonly reserves: ReadonlyMap<Address, Reserve>;
  readonly tokenProgram: Address;
  readonly token: WalletToken;
  /** Null when the reserve has no farm on that side. */
  readonly farm: ObligationFarm | null;
  readonly referrer: Address | null;
  /** One per borrowed reserve; empty without a referrer. */
  readonly referrerStates: readonly ReferrerState[];
  readonly tables: readonly UsableTable[];
  /** Lamports of the wallet; null when it has no account. */
  readonly walletLamports: bigint | null;
  /** The token's name from the reserve, for summaries. */
  readonly symbol: string;
  readonly isSol: boolean;
}

/** Decodes the accounts, read at `slot`. */
export function lendingAccounts(request: LendingRequest, read: ReadAccounts, slot: bigint): LendingAccounts {
  const { programs, wallet } = request;
  const outline = lendingOutline(request, read);
  const { reserve, obligation, obligationAddress, userMetadata } = outline;
  const tokenProgram = liquidityTokenProgram(reserve);
  const mint = reserve.liquidity.mintPubkey;
  const farm = farmOf(request, reserve);
  const referrer = obligation === null ? null : presentAddress(obligation.referrer);
  const reserves = new Map<Address, Reserve>([[request.reserve, reserve]]);
  for (const address of obligationReserves(obligation)) {
    if (!reserves.has(address)) reserves.set(address, reserveAt(read, address, programs.klend));
  }
  return {
    ...outline,
    request,
    marketAuthority: marketAuthority(programs.klend, request.market).address,
    userMetadataAddress: userMetadataAddress(programs.klend, wallet).address,
    reserves,
    tokenProgram,
    token: walletToken(read, associatedTokenAddress(wallet, tokenProgram, mint).address),
    farm: farm && obligationFarm(farm, obligationAddress, request, read),
    referrer,
    referrerStates:
      obligation === null || referrer === null
        ? []
        : referredReserves(request, obligation).map((address) => {
            const state = referrerTokenStateAddress(programs.klend, referrer, address).address;
            return { reserve: address, address: state, exists: programAccount(read, state) !== null };
          }),
    tables: usableTables(
      [...request.lookupTables, userMetadata && presentAddress(userMetadata.userLookupTable)],
      read,
      slot,
    ),
    walletLamports: read(wallet)?.lamports ?? null,
    symbol: readText(reserve.config.tokenInfo.name) || mint,
    isSol: mint === WRAPPED_SOL_MINT && tokenProgram === TOKEN_PROGRAM,
  };
}

function obligationFarm(
  farm: Address,
  obligation: Address,
  { programs }: LendingRequest,
  read: ReadAccounts,
): ObligationFarm {
  const user = farmUserState(programs.farms, farm, obligation).address;
  return { farm, user, exists: programAccount(read, user) !== null };
}
