import type { Address } from '@solana/kit';
import { marketAuthority } from '../../../programs/klend/addresses.ts';
import { type LendingMarket, lendingMarket } from '../../../programs/klend/lending-market.ts';
import { MAINNET_PROGRAMS } from '../../../programs/program-ids.ts';
import { ensure, load } from '../anchor.ts';
import { checkSeeds } from '../anchor-accounts.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { LENDING } from './lending-errors.ts';

const { klend } = MAINNET_PROGRAMS;

export function loadMarket(account: InstructionAccount): LendingMarket {
  return load(account, lendingMarket, klend);
}

/** The account must be the address with which the program signs for the market's vaults. Returns it. */
export function checkMarketAuthority(authority: InstructionAccount, market: InstructionAccount): Address {
  checkSeeds(authority, marketAuthority(klend, market.address));
  return authority.address;
}

export function checkNoEmergency({ emergencyMode }: LendingMarket): void {
  ensure(emergencyMode === 0, LENDING.globalEmergencyMode);
}
