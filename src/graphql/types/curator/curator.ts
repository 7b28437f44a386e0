import {
  type CuratorFees,
  type CuratorTotals,
  curatorFees,
  curatorInView,
  curatorListKey,
  curatorOfVault,
  curatorValue,
  listCurators,
  resembledCurator,
} from '../../../services/curators/curators.ts';
import { paginate } from '../../../services/paging/paging.ts';
import { isNameVerified } from '../../../services/tokens/verified-name.ts';
import { builder } from '../../builder.ts';
import { pageArgs } from '../../connections.ts';
import { CuratorConnection, CuratorRef, VaultConnection, VaultRef } from '../../node-refs.ts';

const CuratorTotalsRef = builder.objectRef<CuratorTotals>('CuratorTotals').implement({
  description: 'A sum over all vaults of a curator, which may accept different tokens.',
  fields: (t) => ({
    usd: t.expose('usd', {
      type: 'Decimal',
      nullable: true,
      description: 'In USD. Null when a part is unknown: a token has no price, or a reserve cannot be read.',
    }),
    sol: t.expose('sol', {
      type: 'Decimal',
      nullable: true,
      description: 'In SOL. Null when a part is unknown.',
    }),
  }),
});

const CuratorFeesRef = builder.objectRef<CuratorFees>('CuratorFees').implement({
  description:
    'Fees of all vaults of a curator up to the slot of the View, at its prices. `feesHistory` values them at the prices of the time.',
  fields: (t) => ({
    performance: t.expose('performance', {
      type: CuratorTotalsRef,
      description: 'Performance fees since each vault was created, whoever ran it then.',
    }),
    management: t.expose('management', {
      type: CuratorTotalsRef,
      description: 'Management fees since each vault was created, whoever ran it then.',
    }),
    pending: t.expose('pending', {
      type: CuratorTotalsRef,
      description: 'Fees that are owed but not yet withdrawn.',
    }),
  }),
});

CuratorRef.implement({
  description:
    'Whoever controls vaults. A curator is known by the admin authority in the accounts of its vaults, never by their names: the catalogue of this deployment says to whom an authority belongs.',
  fields: (t) => ({
    address: t.expose('address', {
      type: 'Address',
      description: 'Admin authority by which it is known: the first that its catalogue entry lists.',
    }),
    authorities: t.field({
      type: ['Address'],
      description: 'All of its admin authorities. Only its address for one without a catalogue entry.',
      resolve: ({ authorities }) => [...authorities],
    }),
    name: t.string({
      nullable: true,
      description: 'Name in the catalogue. Null when no entry names the authority.',
      resolve: ({ entry }) => entry?.name ?? null,
    }),
    verified: t.boolean({
      description:
        'Whether an entry of the catalogue names the authority. The operator of this deployment vouches for it; `source` and `checkedAt` say on what grounds.',
      resolve: ({ entry }) => entry !== null,
    }),
    website: t.string({
      nullable: true,
      description: 'Website in the catalogue. Null without one.',
      resolve: ({ entry }) => entry?.website ?? null,
    }),
    logoUrl: t.string({
      nullable: true,
      description: 'URL of a logo in the catalogue. Null without one.',
      resolve: ({ entry }) => entry?.logoUrl ?? null,
    }),
    source: t.string({
      nullable: true,
      description:
        'Where the operator found that the authority belongs to this name. Null when not verified.',
      resolve: ({ entry }) => entry?.source ?? null,
    }),
    checkedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Date when the operator last checked it, at midnight UTC. Null when not verified.',
      resolve: ({ entry }) => entry?.checkedAt ?? null,
    }),
    vaults: t.field({
      type: VaultConnection,
      description: 'Its vaults, most valuable first.',
      args: pageArgs(t.arg),
      resolve: ({ address }, page, { session }) =>
        paginate(
          session,
          {
            key: ['vaults of curator', address],
            list: (view) => listCurators(view, { addresses: [address] }).flatMap(({ vaults }) => vaults),
          },
          page,
        ),
    }),
    value: t.field({
      type: CuratorTotalsRef,
      description: 'Total value of its vaults. It belongs to their shareholders.',
      resolve: (curator, _args, { session }) => curatorValue(session.view, curator),
    }),
    fees: t.field({
      type: CuratorFeesRef,
      description: 'Fees of its vaults so far.',
      resolve: (curator, _args, { session }) => curatorFees(session.view, curator),
    }),
  }),
});

builder.objectFields(VaultRef, (t) => ({
  curator: t.field({
    type: CuratorRef,
    description: 'Whoever controls the vault, by its admin authority.',
    resolve: (vault, _args, { session }) => curatorOfVault(session.view, vault),
  }),
  nameVerified: t.boolean({
    description:
      'Whether the catalogue of this deployment names the admin authority, which sets the name of the vault. False says nothing against the vault, only that its name proves nothing.',
    resolve: (vault, _args, { session }) => isNameVerified(session.view, vault),
  }),
  nameResembles: t.field({
    type: CuratorRef,
    nullable: true,
    description:
      'Curator of the catalogue whose name is in the name of the vault, or can be mistaken for a part of it, although it does not control the vault. Null when there is none.',
    resolve: (vault, _args, { session }) => resembledCurator(session.view, vault),
  }),
}));

const CuratorFilterInput = builder.inputType('CuratorFilter', {
  description: 'Filter for curators. All conditions must hold.',
  fields: (t) => ({
    addresses: t.field({
      type: ['Address'],
      description: 'Curators with one of these admin authorities.',
    }),
    verified: t.boolean({
      description: 'True for curators that the catalogue names, false for the others.',
    }),
    nameContains: t.string({
      description: 'Curators whose name in the catalogue contains this text, ignoring case.',
    }),
    minValueUsd: t.field({
      type: 'Decimal',
      description: 'Curators whose vaults have at least this value, in USD.',
    }),
  }),
});

builder.queryFields((t) => ({
  curator: t.field({
    type: CuratorRef,
    nullable: true,
    description:
      'Fetches a curator by one of its admin authorities. Null, with an error, when the address controls no vault and the catalogue does not name it.',
    args: {
      address: t.arg({ type: 'Address', required: true, description: 'An admin authority of vaults.' }),
    },
    resolve: (_root, { address }, { session }) => curatorInView(session.view, address),
  }),
  curators: t.field({
    type: CuratorConnection,
    description:
      'All curators: every admin authority of a vault, and every entry of the catalogue. Ordered by the value of their vaults, largest first, an unknown value last.',
    args: {
      filter: t.arg({ type: CuratorFilterInput, description: 'Filter. Defaults to all curators.' }),
      ...pageArgs(t.arg),
    },
    resolve: (_root, { filter, ...page }, { session }) => {
      const which = filter ?? {};
      return paginate(
        session,
        { key: curatorListKey(which), list: (view) => listCurators(view, which) },
        page,
      );
    },
  }),
}));
