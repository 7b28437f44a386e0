import { lesser } from '@sluice/protocol/numeric/integer';
import type { Address } from '@solana/kit';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { collateralToLiquiditySf, exchangeRateOf } from '../klend/exchange-rate.ts';
import { addSf, wholeSf } from '../klend/fraction.ts';
import { isStale, PRICE_STATUS } from '../klend/last-update.ts';
import { ReserveState } from '../klend/reserve-state.ts';
import type { Invocation } from '../program.ts';
import type { VaultBooks } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';

/** Compute units for the value of one allocation. */
const UNITS_PER_RESERVE = 2_500;

/** Assets of a vault; scaled by 2^60, except for idle tokens. */
export interface Holdings {
  /** Idle tokens, base units. */
  readonly available: bigint;
  readonly investedSf: ReadonlyMap<Address, bigint>;
  readonly totalInvestedSf: bigint;
  /** Largest investment in each reserve, by both caps of the allocation. */
  readonly capsSf: ReadonlyMap<Address, bigint>;
  /** Idle and invested tokens, pending fees included. */
  readonly totalSf: bigint;
}

/** Values the allocations. The reserves must be those of the allocations, in order, and refreshed in this slot. */
export function holdingsOf(
  { consume, clock }: Invocation,
  books: VaultBooks,
  reserves: readonly InstructionAccount[],
): Holdings {
  const investedSf = new Map<Address, bigint>();
  const capsSf = new Map<Address, bigint>();
  let totalInvestedSf = 0n;
  for (const [i, { reserve: address, ctokens, cap, ctokenCap }] of books.allocations.entries()) {
    const account = reserves[i];
    ensure(account?.address === address, VAULT_CODES.reserveAccountAndKeyMismatch);
    consume(UNITS_PER_RESERVE);
    const reserve = ReserveState.load(account);
    ensure(!isStale(reserve.lastUpdate, clock, PRICE_STATUS.none), VAULT_CODES.reserveIsStale);
    const rate = exchangeRateOf(reserve);
    const valueSf = collateralToLiquiditySf(rate, ctokens);
    investedSf.set(address, valueSf);
    // No overflow check: the program saturates here, and the other cap is smaller then.
    const ctokenCapSf = ctokenCap === null ? null : (rate.liquiditySf * ctokenCap) / rate.collateral;
    capsSf.set(address, ctokenCapSf === null ? wholeSf(cap) : lesser(wholeSf(cap), ctokenCapSf));
    totalInvestedSf = addSf(totalInvestedSf, valueSf);
  }
  const available = books.tokenAvailable;
  const totalSf = addSf(wholeSf(available), totalInvestedSf);
  return { available, investedSf, totalInvestedSf, capsSf, totalSf };
}
