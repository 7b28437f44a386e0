import { userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Obligation } from '@sluice/protocol/klend/obligation';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { accountsAround, type LendingAccounts } from '../lending/accounts.ts';
import type { LendingOutline } from '../lending/request.ts';
import {
  namedAccount,
  optionalAccount,
  type ReadAccounts,
  type WalletToken,
  walletToken,
} from '../read-accounts.ts';
import { collateralTokenAddress, type LiquidationRequest, liquidationOutline, sideOf } from './request.ts';

/** All inputs of a liquidation. */
export interface LiquidationAccounts {
  readonly request: LiquidationRequest;
  readonly obligation: Obligation;
  /** The debt's side: its reserve, its farm, and the liquidator's token account that pays. */
  readonly repay: LendingAccounts;
  /** The collateral's side: its reserve, its farm, and the liquidator's token account that receives. */
  readonly withdraw: LendingAccounts;
  /** The liquidator's account for collateral tokens. */
  readonly collateralToken: WalletToken;
}

/** Decodes the accounts, read at `slot`. The payer pays rent of new accounts. */
export function liquidationAccounts(
  request: LiquidationRequest,
  read: ReadAccounts,
  slot: bigint,
  payer: Address,
  fresh: ReadonlySet<Address> = new Set(),
): LiquidationAccounts {
  const { klend } = request.programs;
  const { obligation, repay, withdraw } = liquidationOutline(request, read);
  const { lendingMarket: address } = obligation;
  const notFound = (cause?: unknown) =>
    new SluiceError('KLEND_MARKET_NOT_FOUND', { market: address }, { cause });
  const shared: Omit<LendingOutline, 'reserve'> = {
    market: namedAccount(read, address, lendingMarket, klend, notFound),
    obligationAddress: request.obligation,
    obligation,
    userMetadata: optionalAccount(
      read,
      userMetadataAddress(klend, request.wallet).address,
      userMetadata,
      klend,
    ),
  };
  const around = (action: 'repay' | 'withdraw', reserve: LendingOutline['reserve']) =>
    accountsAround({ ...shared, reserve }, sideOf(request, address, action), read, { slot, payer, fresh });
  return {
    request,
    obligation,
    repay: around('repay', repay),
    withdraw: around('withdraw', withdraw),
    collateralToken: walletToken(read, collateralTokenAddress(request.wallet, withdraw)),
  };
}
