import { farmUserState } from '@sluice/protocol/farms/addresses';
import {
  marketAuthority,
  referrerTokenStateAddress,
  userMetadataAddress,
} from '@sluice/protocol/klend/addresses';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { presentAddress, SCOPE_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { type OraclePrices, oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { effectivePrice, type PriceUsd } from '../../domain/price.ts';
import type { WithdrawalLimit } from '../../domain/refreshed-obligation.ts';
import type { StepContext } from '../action.ts';
import {
  distinct,
  programAccount,
  type ReadAccounts,
  readableAccount,
  type WalletToken,
  walletToken,
} from '../read-accounts.ts';
import { type SymbolOf, symbolsFrom } from '../token-symbol.ts';
import { type UsableTable, usableTables } from '../transaction/lookup-tables.ts';
import {
  farmOf,
  type LendingOutline,
  type LendingRequest,
  lendingOutline,
  liquidityTokenProgram,
  obligationReserves,
  priceFeedOf,
  referredReserves,
  reserveAt,
} from './request.ts';

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
  /** Pays rent of accounts that the action creates. */
  readonly payer: Address;
  readonly marketAuthority: Address;
  readonly userMetadataAddress: Address;
  /** The obligation's reserves and the one acted on, by address. */
  readonly reserves: ReadonlyMap<Address, Reserve>;
  /** The oracles of those reserves, by address. One that cannot be read is missing. */
  readonly oracles: ReadonlyMap<Address, OraclePrices>;
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
  /** Ticker of the token, for summaries, and that of any reserve of the obligation. */
  readonly symbol: string;
  readonly symbolOf: SymbolOf;
  readonly isSol: boolean;
  /** Reserves that the transaction has refreshed and not changed since. */
  readonly fresh: ReadonlySet<Address>;
  /** What a withdrawal must leave; the maximum LTV by default. */
  readonly withdrawalLimit?: WithdrawalLimit;
  /** Whether an elevation group counts the deposits only after a withdrawal by the same instruction. */
  readonly countsGroupLater?: boolean;
}

/** The inputs that decide the outcome of a lending action, without those that only its instructions need. */
export interface LendingState
  extends Pick<
    LendingAccounts,
    | 'market'
    | 'reserve'
    | 'obligation'
    | 'reserves'
    | 'oracles'
    | 'symbol'
    | 'symbolOf'
    | 'withdrawalLimit'
    | 'countsGroupLater'
  > {
  readonly request: Pick<LendingRequest, 'action' | 'programs' | 'wallet' | 'market' | 'reserve'>;
  readonly token: Pick<WalletToken, 'account'>;
  readonly farm: Pick<ObligationFarm, 'farm'> | null;
}

/** Decodes the accounts, read at `slot`. The wallet pays rent unless another payer is given. */
export function lendingAccounts(
  request: LendingRequest,
  read: ReadAccounts,
  slot: bigint,
  payer: Address = request.wallet,
  fresh: ReadonlySet<Address> = new Set(),
): LendingAccounts {
  return accountsAround(lendingOutline(request, read), request, read, { slot, payer, fresh });
}

/** Decodes the accounts that belong to an outline, read at `slot`. */
export function accountsAround(
  outline: LendingOutline,
  request: LendingRequest,
  read: ReadAccounts,
  { slot, payer, fresh }: Pick<StepContext, 'slot' | 'payer' | 'fresh'>,
): LendingAccounts {
  const { programs, wallet } = request;
  const { reserve, obligation, obligationAddress, userMetadata } = outline;
  const symbolOf = symbolsFrom(read);
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
    payer,
    marketAuthority: marketAuthority(programs.klend, request.market).address,
    userMetadataAddress: userMetadataAddress(programs.klend, wallet).address,
    reserves,
    oracles: oraclesOf([...request.oracles, priceFeedOf(reserve)], read),
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
    symbol: symbolOf(reserve),
    symbolOf,
    isSol: mint === WRAPPED_SOL_MINT && tokenProgram === TOKEN_PROGRAM,
    fresh,
  };
}

/** The oracles that can be read, by address. */
export function oraclesOf(
  feeds: readonly (Address | null)[],
  read: ReadAccounts,
): ReadonlyMap<Address, OraclePrices> {
  return new Map(
    distinct(feeds).flatMap((feed) => {
      const oracle = readableAccount(read, feed, oraclePrices, SCOPE_PROGRAM);
      return oracle === null ? [] : [[feed, oracle] as const];
    }),
  );
}

/** The price that the refresh in front of an action stores; null when there is none. */
export function priceAtRefresh(
  { market, oracles }: Pick<LendingAccounts, 'market' | 'oracles'>,
  reserve: Reserve,
  timestamp: bigint,
): PriceUsd | null {
  const feed = priceFeedOf(reserve);
  return effectivePrice(reserve, market, feed === null ? undefined : oracles.get(feed), timestamp);
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
