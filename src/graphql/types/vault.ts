import { readText } from '../../programs/layout/codec.ts';
import { presentAddress } from '../../programs/program-ids.ts';
import { safeDate } from '../../services/farms.ts';
import { type HolderCounts, holderCounts } from '../../services/history/holders.ts';
import { realisedYield } from '../../services/history/realised-yield.ts';
import { paginate } from '../../services/paging.ts';
import { vaultRewards } from '../../services/rewards.ts';
import { shareMetadata } from '../../services/share-metadata.ts';
import { DEFAULT_VAULT_ORDER, isCurated, listVaults } from '../../services/vault-lists.ts';
import { currentYield, theoreticalYield } from '../../services/vault-yields.ts';
import * as vaults from '../../services/vaults.ts';
import { vaultPosition } from '../../services/wallets.ts';
import { builder } from '../builder.ts';
import { pageArgs } from '../connections.ts';
import {
  FarmRef,
  farmLink,
  LookupTableRef,
  TokenRef,
  tableLink,
  tokenLink,
  VaultConnection,
  VaultPositionRef,
  VaultRef,
  vaultLink,
} from '../node-refs.ts';
import { ApyBreakdownRef, TokenAmountRef } from './amounts.ts';
import { VaultRewardRef } from './rewards.ts';
import { ShareMetadataRef } from './share-metadata.ts';
import { ApyWindowRef } from './time.ts';
import { VaultFilterInput, VaultOrderInput } from './vault-inputs.ts';
import { VaultAllocationRef, VaultFeesRef, VaultInterestRef, VaultMinimumsRef } from './vault-parts.ts';
import { VaultStateRef } from './vault-state.ts';

VaultRef.implement({
  description:
    'An earn vault: takes one token, lends it in several reserves, and issues shares. Values include interest up to the View\u2019s slot.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', nullable: false, description: 'Address of the vault.' }),
    programId: t.field({
      type: 'Address',
      nullable: false,
      description: 'The vault program that runs it.',
      resolve: ({ owner }) => owner,
    }),
    name: t.string({
      nullable: false,
      description: 'Its name; may be empty.',
      resolve: ({ value }) => readText(value.name),
    }),
    isCurated: t.boolean({
      nullable: true,
      description:
        'Whether every allocation is in a curated market. Null when a reserve or market of it cannot be read.',
      resolve: (vault, _args, { session }) => isCurated(session.view, vault),
    }),
    token: t.field({
      type: TokenRef,
      nullable: true,
      description: 'The token that it takes. Null, with an error, when its mint cannot be read.',
      resolve: ({ value }, _args, { session }) => tokenLink(session, value.tokenMint),
    }),
    sharesToken: t.field({
      type: TokenRef,
      nullable: true,
      description: 'Its shares as a token. Null, with an error, when their mint cannot be read.',
      resolve: ({ value }, _args, { session }) => tokenLink(session, value.sharesMint),
    }),
    shareMetadata: t.field({
      type: ShareMetadataRef,
      nullable: true,
      description: 'What wallets show of its shares.',
      resolve: (vault, _args, { session, baseUrl }) => shareMetadata(session.view, vault, baseUrl),
    }),
    state: t.field({
      type: VaultStateRef,
      nullable: false,
      description: 'The account, every specified field.',
      resolve: ({ value }) => value,
    }),
    allocations: t.field({
      type: [VaultAllocationRef],
      nullable: false,
      description: 'The reserves that it lends in, at most 25.',
      resolve: (vault, _args, { session }) => vaults.vaultAllocations(session.view, vault),
    }),
    idle: t.field({
      type: TokenAmountRef,
      nullable: false,
      description: 'Tokens that are not invested.',
      resolve: (vault, _args, { session }) => vaults.idle(session.view, vault),
    }),
    invested: t.field({
      type: TokenAmountRef,
      nullable: true,
      description: 'Tokens in reserves, with interest. Null when a reserve cannot be read.',
      resolve: (vault, _args, { session }) => vaults.invested(session.view, vault),
    }),
    totalValue: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'What belongs to the holders of shares: idle and invested, less pending fees. Null when a reserve cannot be read.',
      resolve: (vault, _args, { session }) => vaults.totalValue(session.view, vault),
    }),
    withdrawableNow: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'What could be withdrawn at this moment: idle tokens and what the reserves have free. Null when a reserve cannot be read.',
      resolve: (vault, _args, { session }) => vaults.withdrawableNow(session.view, vault),
    }),
    sharesIssued: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Whole shares.',
      resolve: (vault) => vaults.sharesIssued(vault),
    }),
    tokensPerShare: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Tokens that one share is worth; 0 without shares. Null when a reserve cannot be read.',
      resolve: (vault, _args, { session }) => vaults.tokensPerShare(session.view, vault),
    }),
    sharePriceUsd: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'USD that one share is worth. Null when the token has no price.',
      resolve: (vault, _args, { session }) => vaults.sharePriceUsd(session.view, vault),
    }),
    sharePriceSol: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'SOL that one share is worth. Null when a price is unknown.',
      resolve: (vault, _args, { session }) => vaults.sharePriceSol(session.view, vault),
    }),
    apy: t.field({
      type: ApyBreakdownRef,
      nullable: true,
      description:
        'What holders earn in a year as the vault is invested now, after fees. Null when a reserve cannot be read. With `window`, what they really earned: null when nothing is recorded, with an error where no history is kept (HISTORY_DISABLED) or it cannot be read now (HISTORY_UNAVAILABLE).',
      args: {
        window: t.arg({
          type: ApyWindowRef,
          description:
            'Realised from the tokens per share over this window; what is recorded is taken for a year where that is shorter.',
        }),
      },
      resolve: (vault, { window }, { platform, session }) =>
        window ? realisedYield(platform, session.view, vault, window) : currentYield(session.view, vault),
    }),
    theoreticalApy: t.field({
      type: ApyBreakdownRef,
      nullable: true,
      description:
        'What holders would earn in a year at target weights, every token invested. Null when a reserve cannot be read.',
      resolve: (vault, _args, { session }) => theoreticalYield(session.view, vault),
    }),
    interest: t.field({
      type: VaultInterestRef,
      nullable: true,
      description: 'What it earns, before fees.',
      resolve: (vault, _args, { session }) => vaults.vaultInterest(session.view, vault),
    }),
    fees: t.field({
      type: VaultFeesRef,
      nullable: false,
      description: 'What it charges and has charged.',
      resolve: (vault, _args, { session }) => vaults.vaultFees(session.view, vault),
    }),
    utilization: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Share of its value that its reserves have lent out. Null when a reserve cannot be read.',
      resolve: (vault, _args, { session }) => vaults.vaultUtilization(session.view, vault),
    }),
    farm: t.field({
      type: FarmRef,
      nullable: true,
      description:
        'The farm in which shares can be staked. Null when there is none; with an error when it cannot be read.',
      resolve: ({ value }, _args, { session }) => {
        const farm = presentAddress(value.vaultFarm);
        return farm === null ? null : farmLink(session, farm);
      },
    }),
    rewards: t.field({
      type: [VaultRewardRef],
      nullable: false,
      description: 'Campaigns on this vault that run now.',
      args: { source: t.arg.string({ description: 'Points source; the current one when left out.' }) },
      resolve: ({ address }, { source }, { session }) =>
        vaultRewards(session.view, source).filter(({ campaign }) => campaign.vault === address),
    }),
    lookupTable: t.field({
      type: LookupTableRef,
      nullable: true,
      description: 'Its lookup table. Null when there is none; with an error when it cannot be read.',
      resolve: ({ value }, _args, { session }) => {
        const table = presentAddress(value.vaultLookupTable);
        return table === null ? null : tableLink(session, table);
      },
    }),
    minimums: t.field({
      type: VaultMinimumsRef,
      nullable: false,
      description: 'The least that it takes and gives.',
      resolve: (vault) => vault,
    }),
    position: t.field({
      type: VaultPositionRef,
      nullable: true,
      description:
        'What a wallet has in this vault, read now, and what it has earned there: with no shares when it has left the vault, or never was there. Null, with an error, when it cannot be read.',
      args: { wallet: t.arg({ type: 'Address', required: true, description: 'Address of the wallet.' }) },
      resolve: (vault, { wallet }, { session }) => vaultPosition(session, wallet, vault),
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was created. Null when the account does not tell.',
      resolve: ({ value }) => (value.creationTimestamp === 0n ? null : safeDate(value.creationTimestamp)),
    }),
  }),
});

builder.queryFields((t) => ({
  vault: t.field({
    type: VaultRef,
    nullable: true,
    description: 'A vault by its address. Null, with an error, when there is none or it cannot be read.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address of the vault.' }) },
    resolve: (_root, { address }, { session }) => vaultLink(session, address),
  }),
  vaults: t.field({
    type: VaultConnection,
    nullable: false,
    description: 'Vaults, most valuable first unless ordered otherwise.',
    args: {
      filter: t.arg({ type: VaultFilterInput, description: 'Which vaults. All when left out.' }),
      orderBy: t.arg({ type: VaultOrderInput, description: 'In which order.' }),
      ...pageArgs(t.arg),
    },
    resolve: (_root, { filter, orderBy, ...page }, { platform, session }) => {
      const [which, order] = [filter ?? {}, orderBy ?? DEFAULT_VAULT_ORDER];
      const paged = (holders?: (view: typeof session.view) => HolderCounts) => {
        const list = (view: typeof session.view) => listVaults(view, which, order, holders?.(view));
        return paginate(session, { key: ['vaults', which, order], list }, page);
      };
      // Only what the recorder counts has to be waited for.
      return order.field === 'HOLDERS' ? holderCounts(platform, session.view).then(paged) : paged();
    },
  }),
}));
