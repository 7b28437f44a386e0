import { supportsMint, supportsTokenAccount } from '@sluice/protocol/klend/supported-extensions';
import type { Mint } from '@sluice/protocol/token/mint';
import type { TokenAccount } from '@sluice/protocol/token/token-account';
import { ensure } from '../anchor.ts';
import { LENDING } from './lending-errors.ts';

/** Refuses liquidity whose mint or wallet account could make a transfer move another amount, or none. */
export function checkTokenExtensions(mint: Mint, account: TokenAccount): void {
  checkMintExtensions(mint);
  checkAccountExtensions(account);
}

export function checkAccountExtensions(account: TokenAccount): void {
  ensure(supportsTokenAccount(account), LENDING.unsupportedTokenExtension);
}

export function checkMintExtensions(mint: Mint): void {
  ensure(supportsMint(mint), LENDING.unsupportedTokenExtension);
}
