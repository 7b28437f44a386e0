import type { Address } from '@solana/kit';
import { named } from '../../../packages/protocol/test/support/transaction-maker.ts';
import type { Action } from '../../../src/builders/action.ts';
import {
  investVaultAction,
  removeAllocationAction,
  setAllocationAction,
  topUpVaultRewardsAction,
  withdrawVaultFeesAction,
} from '../../../src/builders/curator/action.ts';
import { createVaultAction } from '../../../src/builders/curator/create-vault.ts';
import type { BuildWarning } from '../../../src/builders/warnings.ts';
import { NOTHING_KNOWN } from '../localnet/built-steps.ts';
import { CuratorBench } from '../localnet/curator-bench.ts';
import type { Trigger } from './built-warnings.ts';

interface Request {
  readonly wallet: Address;
  readonly vault: Address;
  readonly reserve: Address;
}

const RESERVE = { available: 1_000_000n, minted: 1_000_000n, owned: 100_000n };

/** Warnings of an action on a vault in round numbers. */
function curate(
  change: Parameters<CuratorBench['changeVault']>[0],
  actionOf: (request: Request) => Action,
): readonly BuildWarning[] {
  const bench = new CuratorBench();
  bench.shrink({ idle: 0n, sharesIssued: 300_000n, reserves: [RESERVE, RESERVE, RESERVE], change });
  bench.fund(1_000_000n);
  return bench.step(actionOf({ ...bench.request, reserve: bench.reserveAddress(0) })).preview().warnings;
}

const invest = (request: Request) => investVaultAction(NOTHING_KNOWN, request);
const fees = (request: Request) => withdrawVaultFeesAction(NOTHING_KNOWN, request);

function created(): readonly BuildWarning[] {
  const bench = new CuratorBench();
  bench.fund(1_000_000n);
  const { wallet, vault } = bench;
  const request = { wallet, vault: named('a new vault'), mint: vault.token.mint.address };
  return bench.step(createVaultAction(NOTHING_KNOWN, request)).preview().warnings;
}

export const CURATOR_TRIGGERS: readonly Trigger[] = [
  ['NEW_VAULT_SIGNS', 'the creation of a vault', created],
  [
    'ALLOCATION_IN_USE',
    'the removal of a reserve with tokens',
    () => curate({}, (request) => removeAllocationAction(NOTHING_KNOWN, request)),
  ],
  [
    'RESERVE_NOT_WHITELISTED',
    'more weight for a reserve that is not listed',
    () =>
      curate({ allowAllocationsInWhitelistedReservesOnly: 1 }, (request) =>
        setAllocationAction(NOTHING_KNOWN, { ...request, weight: 100_000n }),
      ),
  ],
  ['INVEST_TOO_SOON', 'a second investment', () => curate({ minInvestDelaySlots: 10n ** 12n }, invest)],
  ['NOTHING_TO_INVEST', 'a vault below its minimum', () => curate({ minInvestAmount: 10n ** 12n }, invest)],
  ['NO_FEES_TO_WITHDRAW', 'a vault without fees', () => curate({}, fees)],
  [
    'PART_OF_FEES',
    'more fees than one reserve can pay',
    () => curate({ pendingFeesSf: 150_000n << 60n }, fees),
  ],
  [
    'REWARDS_NOT_RELEASED',
    'rewards for a vault without a rate',
    () =>
      curate({ rewardInfo: { rewardPerSecond: 0n } }, ({ wallet, vault }) =>
        topUpVaultRewardsAction(NOTHING_KNOWN, { wallet, vault, amount: { baseUnits: 1n } }),
      ),
  ],
];
