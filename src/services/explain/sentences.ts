import { placePoint } from '../../numeric/decimal.ts';
import { U64_MAX } from '../../numeric/fraction.ts';
import { MEMO_PROGRAM, MEMO_V1_PROGRAM } from '../../programs/program-ids.ts';
import type { Session } from '../records.ts';
import { visibleText } from '../visible-text.ts';
import type { FactsByAddress } from './account-facts.ts';
import type { NamedInstruction } from './named-instructions.ts';
import { Writer } from './writer.ts';

type Sentence = (w: Writer) => string;

const flash = 'reserveLiquidityMint';

const LENDING: Readonly<Record<string, Sentence>> = {
  depositReserveLiquidityAndObligationCollateral: (w) =>
    `Deposit ${w.tokens('liquidityAmount', 'reserveLiquidityMint')} as collateral`,
  borrowObligationLiquidity: (w) =>
    `Borrow ${w.tokens('liquidityAmount', 'borrowReserveLiquidityMint', 'as much as possible of')}`,
  repayObligationLiquidity: (w) =>
    `Repay ${w.tokens('liquidityAmount', 'reserveLiquidityMint', 'all debt of')}`,
  withdrawObligationCollateralAndRedeemReserveCollateral: (w) =>
    `Withdraw ${collateral(w, 'collateralAmount')} of the deposit in the ${w.the('withdrawReserve')}`,
  depositObligationCollateral: (w) =>
    `Deposit ${collateral(w, 'collateralAmount')} of the ${w.the('depositReserve')} into the obligation`,
  withdrawObligationCollateral: (w) =>
    `Withdraw ${collateral(w, 'collateralAmount')} of the ${w.the('withdrawReserve')} without redeeming`,
  repayAndWithdrawAndRedeem: (w) =>
    `Repay ${w.tokens('repayAmount', 'reserveLiquidityMint', 'all debt of')} and withdraw ${collateral(w, 'withdrawCollateralAmount')} of the deposit in the ${w.the('withdrawReserve')}`,
  depositAndWithdraw: (w) =>
    `Deposit ${w.tokens('liquidityAmount', 'reserveLiquidityMint')} as collateral and withdraw ${collateral(w, 'withdrawCollateralAmount')} of the deposit in the ${w.the('withdrawReserve')}`,
  liquidateObligationAndRedeemReserveCollateral: (w) =>
    `Liquidate an obligation: repay up to ${w.tokens('liquidityAmount', 'repayReserveLiquidityMint')} for collateral in the ${w.the('withdrawReserve')}, at least ${w.tokens('minAcceptableReceivedLiquidityAmount', 'withdrawReserveLiquidityMint')}`,
  flashBorrowReserveLiquidity: (w) => `Take a flash loan of ${w.tokens('liquidityAmount', flash)}`,
  flashRepayReserveLiquidity: (w) =>
    `Repay the flash loan of ${w.tokens('liquidityAmount', flash)} and its fee`,
  depositReserveLiquidity: (w) =>
    `Exchange ${w.tokens('liquidityAmount', flash)} for collateral tokens of the ${w.the('reserve')}`,
  redeemReserveCollateral: (w) => `Redeem ${collateral(w, 'collateralAmount')} of the ${w.the('reserve')}`,
  refreshReserve: (w) => `Refresh interest and price of the ${w.the('reserve')}`,
  refreshReservesBatch: () => 'Refresh interest and prices of several reserves',
  refreshObligation: () => 'Refresh values and limits of the obligation',
  initUserMetadata: () => 'Register the wallet with the lending program',
  initObligation: () => 'Create the obligation that holds deposits and debts',
  initObligationFarmsForReserve: (w) =>
    `Enrol the obligation in the ${w.arg('mode') === 0 ? 'deposit' : 'borrow'} rewards of the ${w.the('reserve')}`,
  refreshObligationFarmsForReserve: (w) =>
    `Refresh the obligation's ${w.arg('mode') === 0 ? 'deposit' : 'borrow'} rewards of the ${w.the('reserve')}`,
  requestElevationGroup: (w) =>
    w.arg('elevationGroup') === 0
      ? 'Leave the elevation group'
      : `Move the obligation to elevation group ${String(w.arg('elevationGroup'))}`,
  initReferrerTokenState: () => "Create the account for the referrer's share of the fees",
};

const collateral = (w: Writer, arg: string) =>
  w.units(arg) === U64_MAX ? 'all' : `${placePoint(w.units(arg), COLLATERAL_DECIMALS)} collateral tokens`;
/** Of every collateral mint. */
const COLLATERAL_DECIMALS = 6;

const shares = (w: Writer) => w.tokens('sharesAmount', 'sharesMint', 'all');

const VAULT: Readonly<Record<string, Sentence>> = {
  deposit: (w) => `Deposit up to ${w.tokens('maxAmount', 'tokenMint')} into ${w.the('vaultState')}`,
  buy: (w) => `Buy shares of ${w.the('vaultState')} for up to ${w.tokens('maxAmount', 'tokenMint')}`,
  withdraw: (w) => `Withdraw ${shares(w)} from ${w.the('vaultState')}, using the ${w.the('reserve')}`,
  sell: (w) => `Sell ${shares(w)} of ${w.the('vaultState')}, using the ${w.the('reserve')}`,
  withdrawFromAvailable: (w) => `Withdraw ${shares(w)} from the idle tokens of ${w.the('vaultState')}`,
  redeemInKind: (w) =>
    `Redeem ${shares(w)} of ${w.the('vaultState')} for collateral tokens of the ${w.the('reserve')}`,
  invest: (w) => `Move tokens between ${w.the('vaultState')} and the ${w.the('reserve')}`,
};

const FARMS: Readonly<Record<string, Sentence>> = {
  initializeUser: (w) => `Create a stake account in ${w.the('farmState')}`,
  stake: (w) => `Stake ${w.tokens('amount', 'tokenMint')} in ${w.the('farmState')}`,
  unstake: (w) => `Unstake ${w.stake()} from ${w.the('farmState')}`,
  withdrawUnstakedDeposits: (w) => `Withdraw what was unstaked from ${w.the('farmState')}`,
  harvestReward: (w) => `Claim the ${w.the('rewardMint')} rewards of ${w.the('farmState')}`,
  setStakeDelegated: (w) => `Set a stake in ${w.the('farmState')}`,
  refreshFarm: (w) => `Refresh the rewards of ${w.the('farmState')}`,
  refreshUserState: (w) => `Refresh the rewards of a stake in ${w.the('farmState')}`,
};

const TOKEN: Readonly<Record<string, Sentence>> = {
  transfer: (w) => `Transfer ${w.tokens('amount', 'source')} to ${w.the('destination')}`,
  transferChecked: (w) => `Transfer ${w.tokens('amount', 'mint')} to ${w.the('destination')}`,
  transferCheckedWithFee: (w) =>
    `Transfer ${w.tokens('amount', 'mint')} to ${w.the('destination')}, with a fee`,
  approve: (w) => `Allow ${w.the('delegate')} to spend ${w.tokens('amount', 'source')} of ${w.the('source')}`,
  approveChecked: (w) =>
    `Allow ${w.the('delegate')} to spend ${w.tokens('amount', 'mint')} of ${w.the('source')}`,
  revoke: (w) => `Revoke the permission to spend from ${w.the('source')}`,
  setAuthority: (w) =>
    w.arg('newAuthorityTag') === 0
      ? `Remove an authority of ${w.the('account')}`
      : `Give ${authority(w)} of ${w.the('account')} to ${w.address('newAuthority')}`,
  closeAccount: (w) => `Close ${w.the('account')} and send its SOL to ${w.the('destination')}`,
  syncNative: (w) => `Sync the balance of ${w.the('account')} with its SOL`,
  burn: (w) => `Burn ${w.tokens('amount', 'mint')} of ${w.the('account')}`,
  burnChecked: (w) => `Burn ${w.tokens('amount', 'mint')} of ${w.the('account')}`,
  mintTo: (w) => `Mint ${w.tokens('amount', 'mint')} to ${w.the('account')}`,
  mintToChecked: (w) => `Mint ${w.tokens('amount', 'mint')} to ${w.the('account')}`,
  freezeAccount: (w) => `Freeze ${w.the('account')}`,
  thawAccount: (w) => `Thaw ${w.the('account')}`,
};

const AUTHORITIES = ['the right to mint', 'the right to freeze', 'the ownership', 'the right to close'];
const authority = (w: Writer) => AUTHORITIES[Number(w.arg('authorityType'))] ?? 'an authority';

const NATIVE: Readonly<Record<string, Sentence>> = {
  createAssociatedToken: (w) => `Create ${w.the('associatedToken')}`,
  createAssociatedTokenIdempotent: (w) => `Create ${w.the('associatedToken')} unless it exists`,
  transferLamports: (w) => `Transfer ${w.sol('lamports')} to ${w.the('destination')}`,
  createAccount: (w) => `Create an account with ${w.sol('lamports')} for program ${w.address('owner')}`,
  assign: (w) => `Hand ${w.the('account')} to program ${w.address('owner')}`,
  allocate: (w) => `Give ${w.the('account')} ${w.units('space')} bytes`,
  advanceNonceAccount: () => 'Use up the durable nonce, which takes the place of a blockhash',
  setComputeUnitLimit: (w) => `Set the compute limit to ${String(w.arg('units'))} units`,
  setComputeUnitPrice: (w) =>
    `Set the priority fee to ${w.units('microLamports')} micro-lamports per compute unit`,
};

/** What an instruction does, in words. @param programName null for an unknown program */
export function sentenceOf(
  session: Session,
  facts: FactsByAddress,
  instruction: NamedInstruction,
  programName: string | null,
): string {
  const { programAddress, name, data } = instruction;
  if (programName === null) return 'Calls an unknown program';
  if (programAddress === MEMO_PROGRAM || programAddress === MEMO_V1_PROGRAM) {
    return `Log the memo "${visibleText(new TextDecoder().decode(data))}"`;
  }
  if (name === null) return `Calls an unknown instruction of the ${programName}`;
  const { klend, kvault, farms } = session.programs;
  const own = new Map([
    [klend, LENDING],
    [kvault, VAULT],
    [farms, FARMS],
  ]).get(programAddress);
  const sentence = (own ?? { ...TOKEN, ...NATIVE })[name.replace(/V2$/, '')];
  return sentence?.(new Writer(session, facts, instruction)) ?? `Calls ${name} of the ${programName}`;
}
