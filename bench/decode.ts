import { createRequire } from 'node:module';
import { type Obligation, obligation } from '@sluice/protocol/klend/obligation';
import { type Reserve, reserve } from '@sluice/protocol/klend/reserve';
import { type VaultState, vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import { accountVectors } from '../test/support/vectors/account-vectors.ts';
import { nanosecondsPerCall, printTable } from './measure.ts';

interface SdkAccount {
  decode(data: Buffer): unknown;
}

const { klend, kvault } = MAINNET_PROGRAMS;

/** Reads the fields that a fully nested vault query needs. */
function readVault(vault: VaultState): unknown[] {
  const fields: unknown[] = [
    vault.name,
    vault.tokenMint,
    vault.tokenMintDecimals,
    vault.sharesMint,
    vault.sharesMintDecimals,
    vault.tokenAvailable,
    vault.sharesIssued,
    vault.performanceFeeBps,
    vault.managementFeeBps,
    vault.lastFeeChargeTimestamp,
    vault.prevAumSf,
    vault.pendingFeesSf,
    vault.cumulativeEarnedInterestSf,
    vault.cumulativeMgmtFeesSf,
    vault.cumulativePerfFeesSf,
    vault.vaultFarm,
    vault.vaultLookupTable,
    vault.creationTimestamp,
    vault.minDepositAmount,
    vault.minWithdrawAmount,
    vault.withdrawalPenaltyBps,
  ];
  for (const each of vault.vaultAllocationStrategy) {
    if (each.reserve === NO_ADDRESS) continue;
    fields.push(
      each.ctokenVault,
      each.targetAllocationWeight,
      each.tokenAllocationCap,
      each.ctokenAllocation,
    );
    fields.push(each.lastInvestSlot, each.tokenTargetAllocationSf);
  }
  return fields;
}

function readReserve(decoded: Reserve): unknown[] {
  const { liquidity, collateral, config } = decoded;
  return [
    decoded.lendingMarket,
    decoded.farmCollateral,
    decoded.farmDebt,
    decoded.lastUpdate.slot,
    liquidity.mintPubkey,
    liquidity.totalAvailableAmount,
    liquidity.borrowedAmountSf,
    liquidity.marketPriceSf,
    liquidity.marketPriceLastUpdatedTs,
    liquidity.mintDecimals,
    liquidity.cumulativeBorrowRateBsf.value,
    liquidity.accumulatedProtocolFeesSf,
    liquidity.accumulatedReferrerFeesSf,
    liquidity.pendingReferrerFeesSf,
    collateral.mintPubkey,
    collateral.mintTotalSupply,
    config.status,
    config.loanToValuePct,
    config.liquidationThresholdPct,
    config.borrowFactorPct,
    config.protocolTakeRatePct,
    config.hostFixedInterestRateBps,
    config.depositLimit,
    config.borrowLimit,
    config.elevationGroups,
    config.fees.originationFeeSf,
    config.borrowRateCurve.points.map((point) => point.utilizationRateBps + point.borrowRateBps),
  ];
}

function readObligation(decoded: Obligation): unknown[] {
  const fields: unknown[] = [
    decoded.tag,
    decoded.owner,
    decoded.lendingMarket,
    decoded.elevationGroup,
    decoded.referrer,
  ];
  for (const each of decoded.deposits) {
    if (each.depositReserve !== NO_ADDRESS) fields.push(each.depositedAmount, each.marketValueSf);
  }
  for (const each of decoded.borrows) {
    if (each.borrowReserve !== NO_ADDRESS)
      fields.push(each.borrowedAmountSf, each.cumulativeBorrowRateBsf.value);
  }
  return fields;
}

function caseData(file: string, name: string): Uint8Array {
  const found = accountVectors(file).cases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no case ${name} in ${file}`);
  return found.data;
}

export async function run(): Promise<void> {
  const require = createRequire(new URL('../test/oracle/package.json', import.meta.url));
  let sdk: (name: string) => SdkAccount;
  try {
    const folder = '@kamino-finance/klend-sdk/dist/@codegen';
    const lending = require(`${folder}/klend/accounts`) as Record<string, SdkAccount>;
    const vaults = require(`${folder}/kvault/accounts`) as Record<string, SdkAccount>;
    sdk = (name) => (name === 'VaultState' ? vaults[name] : lending[name]) as SdkAccount;
  } catch (error) {
    process.stderr.write(
      `the official SDK is not installed: npm --prefix test/oracle ci\n${String(error)}\n`,
    );
    process.exitCode = 1;
    return;
  }
  const subjects = [
    {
      name: 'VaultState',
      data: caseData('kvault-vault-state', '25 allocations'),
      ours: (data: Uint8Array) => readVault(vaultState.decode({ owner: kvault, data }, kvault)),
    },
    {
      name: 'Reserve',
      data: caseData('klend-reserve', 'typical'),
      ours: (data: Uint8Array) => readReserve(reserve.decode({ owner: klend, data }, klend)),
    },
    {
      name: 'Obligation',
      data: caseData('klend-obligation', 'eight deposits and five borrows'),
      ours: (data: Uint8Array) => readObligation(obligation.decode({ owner: klend, data }, klend)),
    },
  ];
  const rows: string[][] = [['account', 'bytes', 'ours µs', 'SDK µs', 'times as fast']];
  for (const { name, data, ours } of subjects) {
    const buffer = Buffer.from(data);
    const mine = nanosecondsPerCall(() => ours(data));
    const theirs = nanosecondsPerCall(() => sdk(name).decode(buffer), { rounds: 3, roundMs: 300 });
    rows.push([name, String(data.length), us(mine), us(theirs), (theirs / mine).toFixed(0)]);
  }
  printTable(rows);
}

const us = (nanoseconds: number) => (nanoseconds / 1000).toFixed(1);
