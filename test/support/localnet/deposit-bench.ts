import { marketAuthority } from '@sluice/protocol/klend/addresses';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { decodeMint, encodeMint } from '@sluice/protocol/token/mint';
import type { Address } from '@solana/kit';
import type { LendingRequest } from '../../../src/builders/lending/request.ts';
import {
  type LendingSetting,
  lendingRequest,
  MARKET,
  reserveAddress,
  WALLET,
} from '../builders/lending-accounts.ts';
import { LendingBench } from './lending-bench.ts';

const AUTHORITY = marketAuthority(MAINNET_PROGRAMS.klend, MARKET).address;

/** A lending bench whose reserves also have mints and vaults of collateral tokens. */
export class DepositBench extends LendingBench {
  constructor(setting: LendingSetting, request: LendingRequest) {
    super(setting, request);
    (setting.reserves ?? [{}]).forEach((_, i) => {
      this.#addCollateral(i);
    });
  }

  /** Collateral tokens in existence, by the mint. */
  collateralSupply(index: number): bigint {
    return decodeMint(this.account(this.reserve(index).collateral.mintPubkey)).supply;
  }

  /** The wallet's account of collateral tokens. */
  collateralAddress(index: number): Address {
    const { mintPubkey } = this.reserve(index).collateral;
    return associatedTokenAddress(WALLET, TOKEN_PROGRAM, mintPubkey).address;
  }

  /** Gives the wallet collateral tokens, on top of the reserve's supply. */
  walletCollateral(index: number, amount: bigint): void {
    const { mintPubkey } = this.reserve(index).collateral;
    this.setBalance(this.collateralAddress(index), mintPubkey, WALLET, amount);
  }

  #addCollateral(index: number): void {
    const { mintPubkey, mintTotalSupply, supplyVault } = this.reserve(index).collateral;
    const data = encodeMint({
      mintAuthority: AUTHORITY,
      supply: mintTotalSupply,
      decimals: 6,
      freezeAuthority: null,
      extensions: [],
    });
    this.set(mintPubkey, { owner: TOKEN_PROGRAM, lamports: 1_461_600n, data, executable: false });
    this.setBalance(supplyVault, mintPubkey, AUTHORITY, mintTotalSupply);
  }
}

/** A bench for an action on one reserve. */
export function depositBench(
  setting: LendingSetting,
  action: LendingRequest['action'] = 'deposit',
  index = 0,
): DepositBench {
  return new DepositBench(setting, lendingRequest(action, { reserve: reserveAddress(index) }));
}
