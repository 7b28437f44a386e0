import type { VaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import {
  bpsScaled,
  ceilScaled,
  divideScaled,
  FRACTION_ONE,
  FULL_BPS,
  floorScaled,
  multiplyScaled,
  wholeScaled,
} from '@sluice/protocol/numeric/fraction';
import { ceilDivide, greater, lesser } from '@sluice/protocol/numeric/integer';
import type { CollateralRate } from './vault-assets.ts';
import { penaltyTerms } from './vault-fees.ts';

/** An exchange of shares for collateral tokens of one reserve, under the program's rounding. */
export interface RedemptionTerms {
  /** Base units. */
  readonly shares: bigint;
  /** Collateral tokens for the wallet, base units. */
  readonly collateral: bigint;
  /** Their value in base units of the vault's token, scaled by 2^60. */
  readonly valueSf: bigint;
  /** Kept by the vault for the other shareholders, scaled by 2^60. */
  readonly penaltySf: bigint;
  /** Whether the vault holds fewer collateral tokens than the shares are worth. */
  readonly isCut: boolean;
  /** Why the program refuses it; null when it does not. */
  readonly refusal: 'NOTHING' | 'BELOW_MINIMUM' | null;
}

const NOTHING: RedemptionTerms = {
  shares: 0n,
  collateral: 0n,
  valueSf: 0n,
  penaltySf: 0n,
  isCut: false,
  refusal: 'NOTHING',
};

/** What is redeemed, and from where. */
export interface RedeemedShares {
  readonly shares: bigint;
  /** Assets of all shareholders, scaled by 2^60. */
  readonly aumSf: bigint;
  /** Of the reserve. */
  readonly rate: CollateralRate;
  /** Collateral tokens of the reserve that the vault holds, base units. */
  readonly held: bigint;
}

/** The collateral tokens for shares: at most those that the vault holds in the reserve, for which fewer shares are burned. */
export function redemptionTerms(
  vault: VaultState,
  config: VaultGlobalConfig | null,
  { shares, aumSf, rate, held }: RedeemedShares,
): RedemptionTerms {
  const issued = vault.sharesIssued;
  if (shares === 0n || issued === 0n || aumSf === 0n) return NOTHING;
  const { bps, fixed } = penaltyTerms(vault, config);
  const grossSf = shares === issued ? aumSf : (aumSf * shares) / issued;
  const withheldSf = greater((grossSf * bps) / FULL_BPS, wholeScaled(fixed));
  if (withheldSf >= grossSf) return NOTHING;
  const wanted = collateralFor(rate, grossSf - withheldSf);
  const collateral = lesser(wanted, held);
  if (collateral === 0n) return NOTHING;
  const valueSf = valueUpSf(rate, collateral);
  const penaltySf = onTop(valueSf, bps, fixed);
  const cost = ceilScaled(ceilDivide((valueSf + penaltySf) * wholeScaled(issued), aumSf));
  const refusal = floorScaled(valueSf) > vault.minWithdrawAmount ? null : 'BELOW_MINIMUM';
  return { shares: lesser(cost, shares), collateral, valueSf, penaltySf, isCut: wanted > held, refusal };
}

/** Whole collateral tokens for a value. */
const collateralFor = ({ supplySf, minted }: CollateralRate, valueSf: bigint): bigint =>
  minted === 0n ? floorScaled(valueSf) : (valueSf * minted) / supplySf;

/** The value of collateral tokens, rounded up. */
const valueUpSf = ({ supplySf, minted }: CollateralRate, collateral: bigint): bigint =>
  minted === 0n ? wholeScaled(collateral) : ceilDivide(collateral * supplySf, minted);

/** The penalty that leaves a value to be paid out. */
function onTop(valueSf: bigint, bps: bigint, fixed: bigint): bigint {
  const rateSf = bpsScaled(bps);
  return greater(divideScaled(multiplyScaled(valueSf, rateSf), FRACTION_ONE - rateSf), wholeScaled(fixed));
}
