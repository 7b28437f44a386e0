import { both, NOBODY, otherRow } from './builders.ts';
import type { BuilderTwin, OperationRow } from './operation-row.ts';
import type { Subjects } from './subjects.ts';

/** Builders of the wallet that runs a vault. */

type Addresses = Subjects['addresses'];
type Values = Readonly<Record<string, unknown>>;
type Refusals = Parameters<typeof otherRow>[3];

const NO_VAULT: Refusals = [
  {
    name: 'a vault that is none',
    change: (subjects) => ({ kvault: NOBODY(subjects) }),
    status: 400,
    code: 'KVAULT_NOT_FOUND',
  },
];

const OTHER_WALLET: Refusals = [
  ...NO_VAULT,
  {
    name: 'a wallet that does not run the vault',
    change: ({ addresses }) => ({ wallet: addresses.emptyWallet }),
    status: 400,
    code: 'NOT_VAULT_ADMIN',
  },
];

const NO_RESERVE: Refusals = [
  {
    name: 'a reserve that is none',
    change: (subjects) => ({ reserve: NOBODY(subjects) }),
    status: 400,
    code: 'KLEND_RESERVE_NOT_FOUND',
  },
];

const UNUSED_RESERVE: Refusals = [
  ...NO_RESERVE,
  {
    name: 'a reserve that the vault does not use',
    change: ({ addresses }) => ({ reserve: addresses.depositReserve }),
    status: 400,
    code: 'BUILD_REFUSED',
  },
];

const NOTHING: Refusals = [
  { name: 'nothing', change: () => ({ amount: '0' }), status: 400, code: 'AMOUNT_NOT_POSITIVE' },
];

interface Curation {
  readonly path: string;
  readonly mutation: string;
  readonly input: string;
  readonly wallet: 'vaultAdmin' | 'wallet';
  /** By default the vault of the set. */
  readonly vault?: 'emptyWallet';
  /** Bodies besides wallet and vault, with the fields that GraphQL names or writes differently. */
  readonly bodies: (addresses: Addresses) => readonly (readonly [body: Values, graph?: Values])[];
  readonly refusals: Refusals;
}

const CURATIONS: readonly Curation[] = [
  {
    path: '/ktx/kvault/create',
    mutation: 'buildCreateVault',
    input: 'CreateVaultInput',
    wallet: 'wallet',
    vault: 'emptyWallet',
    bodies: ({ tokenMint: mint }) => [[{ mint }]],
    refusals: [
      {
        name: 'an address in use',
        change: ({ addresses }) => ({ kvault: addresses.vault }),
        status: 400,
        code: 'BUILD_REFUSED',
      },
      {
        name: 'a mint that is none',
        change: ({ addresses }) => ({ mint: addresses.vault }),
        status: 400,
        code: 'BUILD_REFUSED',
      },
    ],
  },
  {
    path: '/ktx/kvault/set-allocation',
    mutation: 'buildSetVaultAllocation',
    input: 'SetVaultAllocationInput',
    wallet: 'vaultAdmin',
    bodies: ({ reserve }) => [
      [{ reserve, weight: '300' }],
      [
        { reserve, cap: '5000', collateralCap: 'U64::MAX' },
        { cap: { tokens: '5000' }, collateralCap: { none: 'NONE' } },
      ],
    ],
    refusals: [
      ...OTHER_WALLET,
      ...NO_RESERVE,
      {
        name: 'a reserve of another token',
        change: ({ addresses }) => ({ reserve: addresses.depositReserve }),
        status: 400,
        code: 'BUILD_REFUSED',
      },
      { name: 'no change', change: () => ({ weight: undefined }), status: 400, code: 'BUILD_REFUSED' },
      {
        name: 'a collateral cap of 0, which the program takes for none',
        change: () => ({ collateralCap: '0' }),
        status: 400,
        code: 'BUILD_REFUSED',
      },
    ],
  },
  {
    path: '/ktx/kvault/remove-allocation',
    mutation: 'buildRemoveVaultAllocation',
    input: 'RemoveVaultAllocationInput',
    wallet: 'vaultAdmin',
    bodies: ({ reserve }) => [[{ reserve }]],
    refusals: [...OTHER_WALLET, ...UNUSED_RESERVE],
  },
  {
    path: '/ktx/kvault/invest',
    mutation: 'buildInvestVault',
    input: 'InvestVaultInput',
    wallet: 'wallet',
    bodies: ({ reserve }) => [
      [{ reserve }],
      [{ reserve, maxAmount: '12.5' }, { maxAmount: { tokens: '12.5' } }],
    ],
    refusals: [...NO_VAULT, ...UNUSED_RESERVE],
  },
  {
    path: '/ktx/kvault/set-config',
    mutation: 'buildSetVaultConfig',
    input: 'SetVaultConfigInput',
    wallet: 'vaultAdmin',
    bodies: ({ wallet }) => [
      [{ performanceFeeBps: 1_250, name: 'Harbour', minInvestDelaySlots: '50', pendingAdmin: wallet }],
      [{ allocationAdmin: wallet, minDeposit: '2' }],
      [
        { depositCap: '5000000', unallocatedCap: 'U64::MAX', minInvest: '3' },
        { depositCap: { tokens: '5000000' }, unallocatedCap: { none: 'NONE' } },
      ],
    ],
    refusals: [
      ...OTHER_WALLET,
      {
        name: 'a fee above 100 %',
        change: () => ({ performanceFeeBps: 10_001 }),
        status: 400,
        code: 'BAD_REQUEST',
      },
      {
        name: 'a penalty above the limit of the program',
        change: () => ({ withdrawalPenalty: '0.010001' }),
        status: 400,
        code: 'BUILD_REFUSED',
      },
      { name: 'a long name', change: () => ({ name: 'x'.repeat(41) }), status: 400, code: 'BUILD_REFUSED' },
      {
        name: 'a deposit cap of 0, which the program takes for none',
        change: () => ({ depositCap: '0' }),
        status: 400,
        code: 'BUILD_REFUSED',
      },
      {
        name: 'the end of a restriction',
        change: () => ({ investsInWhitelistedReservesOnly: false }),
        status: 400,
        code: 'NOT_VAULT_ADMIN',
      },
    ],
  },
  {
    path: '/ktx/kvault/accept-admin',
    mutation: 'buildAcceptVaultAdmin',
    input: 'AcceptVaultAdminInput',
    wallet: 'wallet',
    bodies: () => [[{}]],
    refusals: OTHER_WALLET,
  },
  {
    path: '/ktx/kvault/withdraw-fees',
    mutation: 'buildWithdrawVaultFees',
    input: 'WithdrawVaultFeesInput',
    wallet: 'vaultAdmin',
    bodies: ({ reserve }) => [[{}], [{ reserve }]],
    refusals: [...OTHER_WALLET, ...UNUSED_RESERVE],
  },
  {
    path: '/ktx/kvault/give-up-fees',
    mutation: 'buildGiveUpVaultFees',
    input: 'GiveUpVaultFeesInput',
    wallet: 'vaultAdmin',
    bodies: () => [
      [{ amount: '1.5' }, { amount: { tokens: '1.5' } }],
      [{ amount: 'U64::MAX' }, { amount: { all: 'ALL' } }],
    ],
    refusals: [...OTHER_WALLET, ...NOTHING],
  },
  {
    path: '/ktx/kvault/top-up-rewards',
    mutation: 'buildTopUpVaultRewards',
    input: 'TopUpVaultRewardsInput',
    wallet: 'wallet',
    bodies: () => [[{ amount: '1.5' }, { amount: { tokens: '1.5' } }]],
    refusals: [...NO_VAULT, ...NOTHING],
  },
  {
    path: '/ktx/kvault/withdraw-rewards',
    mutation: 'buildWithdrawVaultRewards',
    input: 'WithdrawVaultRewardsInput',
    wallet: 'vaultAdmin',
    bodies: () => [
      [{ amount: '1.5' }, { amount: { tokens: '1.5' } }],
      [{ amount: 'U64::MAX' }, { amount: { all: 'ALL' } }],
    ],
    refusals: [...OTHER_WALLET, ...NOTHING],
  },
];

function rowOf(curation: Curation, path: string): OperationRow {
  const { mutation, input: inputType, bodies, refusals, vault = 'vault' } = curation;
  const builder: BuilderTwin = {
    mutation,
    inputType,
    inputs: (addresses) =>
      bodies(addresses).map(([given, graph = {}]) => ({
        body: { wallet: addresses[curation.wallet], kvault: addresses[vault], ...given },
        input: { wallet: addresses[curation.wallet], vault: addresses[vault], ...given, ...graph },
      })),
  };
  const bodyOf = ({ addresses }: Subjects) => ({
    wallet: addresses[curation.wallet],
    kvault: addresses[vault],
    ...bodies(addresses)[0]?.[0],
  });
  return otherRow(path, builder, bodyOf, refusals);
}

export const CURATOR_BUILDER_ROWS: readonly OperationRow[] = CURATIONS.flatMap((curation) =>
  both(curation.path).map((path) => rowOf(curation, path)),
);
