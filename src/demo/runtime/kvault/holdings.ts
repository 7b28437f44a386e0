import type { Address } from '@solana/kit';
import { type Reserve, reserve as reserveLayout } from '../../../programs/klend/reserve.ts';
import { MAINNET_PROGRAMS } from '../../../programs/program-ids.ts';
import { ensure, load } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import type { Invocation } from '../program.ts';
import { fraction, minus, scaled } from './checked-maths.ts';
import { exchangeRateOf, liquiditySfOf } from './exchange-rate.ts';
import type { VaultBooks } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';

/** Compute units for the value of one allocation. */
const UNITS_PER_RESERVE = 2_500;

/** What a vault owns; scaled by 2^60, except for idle tokens. */
export interface Holdings {
  /** Idle tokens, base units. */
  readonly available: bigint;
  readonly investedSf: ReadonlyMap<Address, bigint>;
  readonly totalInvestedSf: bigint;
  /** Idle and invested tokens, pending fees included. */
  readonly totalSf: bigint;
}

export const loadReserve = (account: InstructionAccount): Reserve =>
  load(account, reserveLayout, MAINNET_PROGRAMS.klend);

/** Values the allocations. The reserves must be those of the allocations, in order, and refreshed in this slot. */
export function holdingsOf(
  { consume, clock }: Invocation,
  books: VaultBooks,
  reserves: readonly InstructionAccount[],
): Holdings {
  const investedSf = new Map<Address, bigint>();
  let totalInvestedSf = 0n;
  for (const [i, { reserve: address, ctokens }] of books.allocations.entries()) {
    const account = reserves[i];
    ensure(account?.address === address, VAULT_CODES.reserveAccountAndKeyMismatch);
    consume(UNITS_PER_RESERVE);
    const reserve = loadReserve(account);
    const { slot, stale } = reserve.lastUpdate;
    ensure(stale === 0 && minus(clock.slot, slot) === 0n, VAULT_CODES.reserveIsStale);
    const valueSf = liquiditySfOf(exchangeRateOf(reserve), ctokens);
    investedSf.set(address, valueSf);
    totalInvestedSf = fraction(totalInvestedSf + valueSf);
  }
  const available = books.tokenAvailable;
  const totalSf = fraction(scaled(available) + totalInvestedSf);
  return { available, investedSf, totalInvestedSf, totalSf };
}
