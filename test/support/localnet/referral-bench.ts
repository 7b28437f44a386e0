import { marketAuthority, referrerTokenStateAddress } from '@sluice/protocol/klend/addresses';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { withdrawReferrerFees } from '@sluice/protocol/klend/referrer-instructions';
import { type ReferrerTokenState, referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { refreshReserve } from '@sluice/protocol/klend/setup-instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import type { StructInput } from '@sluice/protocol/layout/struct';
import {
  MAINNET_PROGRAMS,
  presentAddress,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import {
  lendingRequest,
  MARKET,
  REFERRER,
  type ReserveSetting,
  reserveAddress,
} from '../builders/lending-accounts.ts';
import { LendingBench } from './lending-bench.ts';

const { klend } = MAINNET_PROGRAMS;

export const BPS = 1_500;
export const LAMPORTS = 10n ** 10n;

export const feeAccount = (index: number, referrer: Address = REFERRER): Address =>
  referrerTokenStateAddress(klend, referrer, reserveAddress(index)).address;

/** A market that pays referrers, and a referrer with an account in each of its reserves. */
export class ReferralBench extends LendingBench {
  constructor(reserves: readonly ReserveSetting[] = [{}]) {
    const market = { referralFeeBps: BPS };
    super({ reserves, referred: true, market }, lendingRequest('deposit', { reserve: reserveAddress(0) }));
    const data = new Uint8Array();
    this.set(REFERRER, { owner: SYSTEM_PROGRAM, lamports: LAMPORTS, data, executable: false });
  }

  /** @param sf units of 2^-60 of a base unit @param inReserve what the reserve owes all referrers */
  owe(index: number, sf: bigint, inReserve = sf): void {
    this.change(referrerTokenState, feeAccount(index), { amountUnclaimedSf: sf, amountCumulativeSf: sf });
    this.changeReserve(index, { liquidity: { accumulatedReferrerFeesSf: inReserve } });
  }

  owed(index: number): ReferrerTokenState {
    return referrerTokenState.decode(this.account(feeAccount(index)), klend);
  }

  changeReserve(index: number, fields: StructInput<typeof reserveLayout.body.fields>): void {
    this.change(reserveLayout, reserveAddress(index), fields);
  }

  changeMarket(fields: StructInput<typeof lendingMarket.body.fields>): void {
    this.change(lendingMarket, MARKET, fields);
  }

  /** Base units of the referrer; 0 without an account. */
  held(index: number): bigint {
    const account = this.get(this.tokensOf(index));
    return account === undefined || account.lamports === 0n ? 0n : decodeTokenAccount(account).amount;
  }

  tokensOf(index: number): Address {
    const { mintPubkey } = this.reserve(index).liquidity;
    return associatedTokenAddress(REFERRER, TOKEN_PROGRAM, mintPubkey).address;
  }

  openTokens(index: number): void {
    this.setBalance(this.tokensOf(index), this.reserve(index).liquidity.mintPubkey, REFERRER, 0n);
  }

  /** @param priceAge seconds since the oracle published */
  wait(slots: bigint, priceAge = 0n): void {
    const { slot, unixTimestamp } = this.clock;
    this.clock = { slot: slot + slots, unixTimestamp: unixTimestamp + (slots * 2n) / 5n };
    const entry = { unixTimestamp: this.clock.unixTimestamp - priceAge };
    const { priceFeed } = this.reserve(0).config.tokenInfo.scopeConfiguration;
    const { prices } = oraclePrices.decode(this.account(priceFeed), this.account(priceFeed).owner);
    this.change(oraclePrices, priceFeed, { prices: prices.slice(0, 8).map(() => entry) });
  }

  refreshing(index: number): EncodedInstruction {
    const { tokenInfo } = this.reserve(index).config;
    const { scopeConfiguration, pythConfiguration, switchboardConfiguration } = tokenInfo;
    return refreshReserve.encode(
      klend,
      {
        reserve: reserveAddress(index),
        lendingMarket: MARKET,
        pythOracle: presentAddress(pythConfiguration.price),
        switchboardPriceOracle: presentAddress(switchboardConfiguration.priceAggregator),
        switchboardTwapOracle: presentAddress(switchboardConfiguration.twapAggregator),
        scopePrices: presentAddress(scopeConfiguration.priceFeed),
      },
      {},
    );
  }

  /** @param change accounts in place of the right ones */
  claiming(index: number, change: Readonly<Record<string, Address>> = {}): EncodedInstruction {
    const { mintPubkey, supplyVault, tokenProgram } = this.reserve(index).liquidity;
    return withdrawReferrerFees.encode(
      klend,
      {
        referrer: REFERRER,
        referrerTokenState: feeAccount(index),
        reserve: reserveAddress(index),
        reserveLiquidityMint: mintPubkey,
        reserveSupplyLiquidity: supplyVault,
        referrerTokenAccount: this.tokensOf(index),
        lendingMarket: MARKET,
        lendingMarketAuthority: marketAuthority(klend, MARKET).address,
        tokenProgram,
        ...change,
      },
      {},
    );
  }
}
