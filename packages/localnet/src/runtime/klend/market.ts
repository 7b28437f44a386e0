import { marketAuthority } from '@sluice/protocol/klend/addresses';
import { type LendingMarket, lendingMarket } from '@sluice/protocol/klend/lending-market';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
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
