/**
 * The withdrawal of the vault program, step by step after its public source, in numbers scaled by 2^60 as the program
 * holds them. Written apart from the builders, which are compared with it.
 */

const BITS = 60n;
const ONE = 1n << BITS;

const floor = (bits: bigint) => bits >> BITS;
const ceil = (bits: bigint) => (bits + ONE - 1n) >> BITS;
const frac = (bits: bigint) => bits & (ONE - 1n);
const min = (a: bigint, b: bigint) => (a < b ? a : b);
const max = (a: bigint, b: bigint) => (a > b ? a : b);
const minus = (a: bigint, b: bigint) => max(a - b, 0n);

export interface ProgramReserve {
  available: bigint;
  /** Borrowed less all fees, scaled. */
  lentBits: bigint;
  minted: bigint;
}

export interface ProgramVault {
  tokenAvailable: bigint;
  sharesIssued: bigint;
  pendingFees: bigint;
  prevAum: bigint;
  lastCharge: bigint;
  managementBps: bigint;
  performanceBps: bigint;
  minWithdraw: bigint;
  penaltyBps: bigint;
  penaltyUnits: bigint;
  rewardPerSecond: bigint;
  rewardsAvailable: bigint;
  lastIssuance: bigint;
  /** Collateral in each reserve. */
  allocations: bigint[];
}

export interface ProgramWallet {
  shares: bigint;
  tokens: bigint;
}

/** The name of the program's error, or nothing. */
export type Refused = string | undefined;

const supplyOf = ({ available, lentBits }: ProgramReserve) => (available << BITS) + lentBits;

/** Collateral to liquidity, truncated. */
function worth(reserve: ProgramReserve, collateral: bigint): bigint {
  const supply = supplyOf(reserve);
  if (supply === 0n || reserve.minted === 0n) return collateral << BITS;
  return (((collateral << BITS) * supply) >> BITS) / reserve.minted;
}

/** Liquidity to collateral, every step rounded up. */
function cost(reserve: ProgramReserve, liquidity: bigint): bigint {
  const supply = supplyOf(reserve);
  if (supply === 0n || reserve.minted === 0n) return liquidity;
  const product = (liquidity << BITS) * reserve.minted;
  const quotient = ((product << BITS) + supply - 1n) / supply;
  return ceil(quotient);
}

function refreshRewards(vault: ProgramVault, now: bigint): void {
  if (vault.rewardPerSecond === 0n || vault.rewardsAvailable === 0n) return;
  if (vault.lastIssuance === 0n) {
    vault.lastIssuance = now;
    return;
  }
  const seconds = minus(now, vault.lastIssuance);
  if (seconds === 0n) return;
  const issued = min(vault.rewardPerSecond * seconds, vault.rewardsAvailable);
  vault.tokenAvailable += issued;
  vault.rewardsAvailable -= issued;
  vault.lastIssuance = now;
}

function chargeFees(vault: ProgramVault, invested: bigint, now: bigint): void {
  if (vault.lastCharge === 0n) {
    vault.lastCharge = now;
    return;
  }
  const aum = minus((vault.tokenAvailable << BITS) + invested, vault.pendingFees);
  const seconds = minus(now, vault.lastCharge);
  let management = 0n;
  if (seconds !== 0n) {
    const yearly = (vault.managementBps << BITS) / 10_000n;
    const rate = (yearly * seconds) / 31_556_926n;
    management = (vault.prevAum * rate) >> BITS;
  }
  const interest = minus(aum, vault.prevAum);
  const performance = (((vault.performanceBps << BITS) / 10_000n) * interest) >> BITS;
  const fees = min(management + performance, aum);
  vault.pendingFees += fees;
  vault.prevAum = aum - fees;
  vault.lastCharge = now;
}

/** One instruction. The vault, the reserves and the wallet are changed in place. */
export function programWithdraw(
  vault: ProgramVault,
  reserves: readonly ProgramReserve[],
  wallet: ProgramWallet,
  from: number | null,
  named: bigint,
  now: bigint,
): Refused {
  const shares = min(named, wallet.shares);
  if (shares === 0n) return 'CannotWithdrawZeroShares';
  refreshRewards(vault, now);
  const investedIn = reserves.map((reserve, index) => worth(reserve, vault.allocations[index] ?? 0n));
  const invested = investedIn.reduce((a, b) => a + b, 0n);
  chargeFees(vault, invested, now);
  const aum = (vault.tokenAvailable << BITS) + invested - vault.pendingFees;
  if (aum <= 0n) return 'VaultAUMZero';
  const supply = vault.sharesIssued;
  const withPenalty = floor(supply === shares ? aum : (aum * shares) / supply);
  if (withPenalty === 0n) return 'CannotWithdrawZeroLamports';
  const penalty = max(ceil(((withPenalty << BITS) * vault.penaltyBps) / 10_000n), vault.penaltyUnits);
  if (penalty >= withPenalty) return 'WithdrawAmountLessThanWithdrawalPenalty';
  const forUser = withPenalty - penalty;
  const fromIdle = min(vault.tokenAvailable, forUser);
  let [owed, redeemed, collateral, roundingError] = [0n, 0n, 0n, 0n];
  const reserve = from === null ? undefined : reserves[from];
  const allocated = from === null ? 0n : (vault.allocations[from] ?? 0n);
  if (reserve !== undefined && from !== null) {
    owed = min(investedIn[from] ?? 0n, (forUser - fromIdle) << BITS);
    if (owed !== 0n) {
      collateral = min(cost(reserve, floor(owed)), allocated);
      const value = worth(reserve, collateral);
      redeemed = floor(value);
      roundingError = frac(value) > 0n && frac(value) > frac(owed) ? 1n : 0n;
    }
  }
  const toSend = floor(owed);
  const theoretical = ((fromIdle + penalty) << BITS) + owed;
  const actual = toSend - roundingError;
  const burned = min(ceil((theoretical * (supply << BITS) + aum - 1n) / aum), shares);
  if (burned === 0n) return 'WithdrawResultsInZeroShares';
  if (fromIdle + toSend <= vault.minWithdraw) return 'WithdrawAmountBelowMinimum';
  if (redeemed < actual) return 'NotEnoughLiquidityDisinvestedToSendToUser';
  if (reserve !== undefined && redeemed > reserve.available) return 'InsufficientLiquidity';
  vault.tokenAvailable += redeemed - actual - fromIdle;
  vault.sharesIssued -= burned;
  vault.prevAum = aum - (theoretical - (penalty << BITS));
  if (reserve !== undefined && from !== null) {
    vault.allocations[from] = allocated - collateral;
    reserve.available -= redeemed;
    reserve.minted -= collateral;
  }
  wallet.shares -= burned;
  wallet.tokens += fromIdle + actual;
  return undefined;
}
