import { readText } from '@sluice/protocol/layout/codec';
import { presentAddress } from '@sluice/protocol/program-ids';
import { safeDate } from '../../../domain/dates.ts';
import { realisedYields } from '../../../services/history/realised-yield.ts';
import { paginate } from '../../../services/paging/paging.ts';
import { unreadableInView } from '../../../services/request/records.ts';
import { vaultRewards } from '../../../services/rewards/rewards.ts';
import { shareMetadata } from '../../../services/tokens/share-metadata.ts';
import { tokenNamed } from '../../../services/tokens/tokens.ts';
import { depositCap, depositRoom } from '../../../services/vaults/caps.ts';
import { type HolderCounts, holderCounts } from '../../../services/vaults/holders.ts';
import { DEFAULT_VAULT_ORDER, isCurated, listVaults, vaultListKey } from '../../../services/vaults/list.ts';
import * as vaults from '../../../services/vaults/vaults.ts';
import { currentYield, theoreticalYield } from '../../../services/vaults/yields.ts';
import { vaultPosition } from '../../../services/wallets/wallets.ts';
import { builder } from '../../builder.ts';
import { pageArgs } from '../../connections.ts';
import {
  FarmRef,
  farmLink,
  LookupTableRef,
  TokenRef,
  tableLink,
  VaultConnection,
  VaultPositionRef,
  VaultRef,
  vaultLink,
} from '../../node-refs.ts';
import { PeriodRef } from '../history/time.ts';
import { VaultRewardRef } from '../rewards/rewards.ts';
import { ShareMetadataRef } from '../token/share-metadata.ts';
import { ApyBreakdownRef, TokenAmountRef } from '../values/amounts.ts';
import { VaultFilterInput, VaultOrderInput } from './vault-inputs.ts';
import {
  RealisedInterestApyRef,
  VaultAllocationRef,
  VaultFeesRef,
  VaultInterestRef,
  VaultMinimumsRef,
} from './vault-parts.ts';
import { VaultStateRef } from './vault-state.ts';

VaultRef.implement({
  description:
    'An earn vault: it accepts one token, lends it through several reserves and issues shares. Values include interest up to the slot of the View.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'Address of the vault.' }),
    programId: t.expose('owner', {
      type: 'Address',
      description: 'The vault program that owns the account.',
    }),
    name: t.string({
      description:
        'Name of the vault, which its admin sets freely. May be empty, and may be the name of somebody else: see `nameVerified`.',
      resolve: ({ value }) => readText(value.name),
    }),
    isCurated: t.boolean({
      nullable: true,
      description:
        'Whether the vault allocates only to curated markets. Null when one of its reserves or markets cannot be read.',
      resolve: (vault, _args, { session }) => isCurated(session.view, vault),
    }),
    isPrivateCredit: t.boolean({
      description:
        'Whether the vault lends to private credit, according to the catalogue of this deployment. The chain does not say.',
      resolve: ({ address }, _args, { session }) => vaults.isPrivateCredit(session.view, address),
    }),
    token: t.field({
      type: TokenRef,
      description: 'The deposit token.',
      resolve: ({ value }, _args, { session }) =>
        tokenNamed(session, value.tokenMint, Number(value.tokenMintDecimals)),
    }),
    sharesToken: t.field({
      type: TokenRef,
      description: 'The token of its shares.',
      resolve: ({ value }, _args, { session }) =>
        tokenNamed(session, value.sharesMint, Number(value.sharesMintDecimals)),
    }),
    shareMetadata: t.field({
      type: ShareMetadataRef,
      nullable: true,
      description: 'Token metadata of its shares, as wallets show it.',
      resolve: (vault, _args, { session, baseUrl }) => shareMetadata(session.view, vault, baseUrl),
    }),
    state: t.expose('value', {
      type: VaultStateRef,
      description: 'The on-chain account, with every field of the specification.',
    }),
    allocations: t.field({
      type: [VaultAllocationRef],
      description: 'The reserves that it lends through, at most 25.',
      resolve: (vault, _args, { session }) => vaults.vaultAllocations(session.view, vault),
    }),
    unallocatedShare: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Fraction of the vault\u2019s tokens that are not invested: 1 less the sum of `actualShare` of its allocations. 1 for an empty vault. Null when a reserve cannot be read.',
      resolve: (vault, _args, { session }) => vaults.unallocatedShare(session.view, vault),
    }),
    idle: t.field({
      type: TokenAmountRef,
      description: 'Tokens that are not invested.',
      resolve: (vault, _args, { session }) => vaults.idle(session.view, vault),
    }),
    invested: t.field({
      type: TokenAmountRef,
      nullable: true,
      description: 'Tokens invested in reserves, with interest. Null when a reserve cannot be read.',
      resolve: (vault, _args, { session }) => vaults.invested(session.view, vault),
    }),
    totalValue: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'Total value that belongs to the shareholders: idle plus invested, less pending fees. Null when a reserve cannot be read.',
      resolve: (vault, _args, { session }) => vaults.totalValue(session.view, vault),
    }),
    withdrawableNow: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'Amount that can be withdrawn now: idle tokens plus the available liquidity of its reserves. Null when a reserve cannot be read.',
      resolve: (vault, _args, { session }) => vaults.withdrawableNow(session.view, vault),
    }),
    depositCap: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'Total value above which the vault takes no deposit. A deposit that would exceed it is cut. Interest may lift the total value above it. Null when there is no cap.',
      resolve: (vault, _args, { session }) => depositCap(session.view, vault),
    }),
    depositRoom: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'Amount that can still be deposited under `depositCap`, after fees up to the slot of the View. Null when there is no cap or a reserve cannot be read.',
      resolve: (vault, _args, { session }) => depositRoom(session.view, vault),
    }),
    permissioningAuthority: t.field({
      type: 'Address',
      nullable: true,
      description:
        'Address that must sign deposits and withdrawals besides the wallet. Null for an open vault.',
      resolve: ({ value }) => presentAddress(value.permissioningAuthority),
    }),
    sharesIssued: t.field({
      type: 'Decimal',
      description: 'Shares issued, in whole shares.',
      resolve: (vault) => vaults.sharesIssued(vault),
    }),
    tokensPerShare: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Value of one share in whole tokens. 0 when no shares are issued. Null when a reserve cannot be read.',
      resolve: (vault, _args, { session }) => vaults.tokensPerShare(session.view, vault),
    }),
    sharePriceUsd: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Value of one share in USD. Null when the token has no price or a reserve cannot be read.',
      resolve: (vault, _args, { session }) => vaults.sharePriceUsd(session.view, vault),
    }),
    sharePriceSol: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Value of one share in SOL. Null when a price is unknown or a reserve cannot be read.',
      resolve: (vault, _args, { session }) => vaults.sharePriceSol(session.view, vault),
    }),
    currentApy: t.field({
      type: ApyBreakdownRef,
      nullable: true,
      description:
        'Yield of shareholders after fees, with all rewards, at the current allocation and rates. Compare its `base`, not its `total`, with `realisedInterestApy`. Null when a reserve cannot be read.',
      resolve: (vault, _args, { session }) => currentYield(session.view, vault),
    }),
    realisedInterestApy: t.field({
      type: RealisedInterestApyRef,
      nullable: true,
      description:
        'Interest that shareholders earned over a past period, after fees and without rewards. Null when nothing is recorded or no shares were issued; null with an error when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).',
      args: {
        over: t.arg({
          type: PeriodRef,
          required: true,
          description:
            'The period up to now. When recorded history is shorter, all of it is used; `from` says since when.',
        }),
      },
      resolve: async (vault, { over }, { platform, session }) =>
        (await realisedYields(platform, session, vault))[over],
    }),
    theoreticalApy: t.field({
      type: ApyBreakdownRef,
      nullable: true,
      description:
        'Yield of shareholders after fees, with all current rewards, if every token were invested at the target weights. Null when a reserve cannot be read.',
      resolve: (vault, _args, { session }) => theoreticalYield(session.view, vault),
    }),
    interest: t.field({
      type: VaultInterestRef,
      nullable: true,
      description: 'Interest that the vault earns, before fees.',
      resolve: (vault, _args, { session }) => vaults.vaultInterest(session.view, vault),
    }),
    fees: t.field({
      type: VaultFeesRef,
      description: 'Fee rates, and the fees charged so far.',
      resolve: (vault, _args, { session }) => vaults.vaultFees(session.view, vault),
    }),
    utilization: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Fraction of the total value that its reserves have lent to borrowers. Null when a reserve cannot be read.',
      resolve: (vault, _args, { session }) => vaults.vaultUtilization(session.view, vault),
    }),
    farm: t.field({
      type: FarmRef,
      nullable: true,
      description:
        'The farm in which shares can be staked. Null when there is none; null with an error when it cannot be read.',
      resolve: ({ value }, _args, { session }) => {
        const farm = presentAddress(value.vaultFarm);
        return farm === null ? null : farmLink(session, farm);
      },
    }),
    rewards: t.field({
      type: [VaultRewardRef],
      description: 'Reward campaigns of this vault that are running now.',
      args: {
        source: t.arg.string({ description: 'Points source of the campaigns. Defaults to the current one.' }),
      },
      resolve: ({ address }, { source }, { session }) =>
        vaultRewards(session.view, source).filter(({ campaign }) => campaign.vault === address),
    }),
    lookupTable: t.field({
      type: LookupTableRef,
      nullable: true,
      description:
        'Lookup table for transactions with this vault. Null when there is none; null with an error when it cannot be read.',
      resolve: ({ value }, _args, { session }) => {
        const table = presentAddress(value.vaultLookupTable);
        return table === null ? null : tableLink(session, table);
      },
    }),
    minimums: t.field({
      type: VaultMinimumsRef,
      description: 'Minimum amounts for deposits, withdrawals and investments.',
      resolve: (vault) => vault,
    }),
    position: t.field({
      type: VaultPositionRef,
      nullable: true,
      description:
        'Position of a wallet in this vault, read from the chain, with its earnings. A wallet that has left the vault or never used it has a position with no shares. Null, with an error, when it cannot be read.',
      args: { wallet: t.arg({ type: 'Address', required: true, description: 'Address of the wallet.' }) },
      resolve: (vault, { wallet }, { session }) => vaultPosition(session, wallet, vault),
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of creation. Null when the account does not store it.',
      resolve: ({ value }) => (value.creationTimestamp === 0n ? null : safeDate(value.creationTimestamp)),
    }),
  }),
});

builder.queryFields((t) => ({
  vault: t.field({
    type: VaultRef,
    nullable: true,
    description:
      'Fetches a vault by its address. Null, with an error, when there is none or it cannot be read.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address of the vault.' }) },
    resolve: (_root, { address }, { session }) => vaultLink(session, address),
  }),
  vaults: t.field({
    type: VaultConnection,
    description: 'All vaults. Ordered by total value, largest first, unless `orderBy` is given.',
    args: {
      filter: t.arg({ type: VaultFilterInput, description: 'Filter. Defaults to all vaults.' }),
      orderBy: t.arg({
        type: VaultOrderInput,
        description: 'Sort order. Defaults to total value, largest first.',
      }),
      ...pageArgs(t.arg),
    },
    resolve: (_root, { filter, orderBy, ...page }, { platform, session, warnings }, info) => {
      warnings.leftOut(info, unreadableInView(session.view, 'vault', filter?.addresses));
      const [which, order] = [filter ?? {}, orderBy ?? DEFAULT_VAULT_ORDER];
      const paged = (holders?: (view: typeof session.view) => HolderCounts) => {
        const list = (view: typeof session.view) => listVaults(view, which, order, holders?.(view));
        return paginate(session, { key: vaultListKey(which, order), list }, page);
      };
      // Holder counts come from the recorder's database; every other order is known from the View.
      return order.field === 'HOLDERS' ? holderCounts(platform, session).then(paged) : paged();
    },
  }),
}));
