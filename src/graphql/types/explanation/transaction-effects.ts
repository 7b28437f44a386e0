import type { ObligationEffect } from '../../../services/explain/obligation-effects.ts';
import type { TransactionEffects } from '../../../services/explain/transaction-effects.ts';
import type { VaultEffect } from '../../../services/explain/vault-effects.ts';
import { builder } from '../../builder.ts';
import { ProgramFailureRef } from '../sending/simulation.ts';
import { ObligationEffectRef } from './obligation-effect.ts';
import { VaultPositionEffectRef } from './vault-position-effect.ts';

export const TransactionEffectsRef = builder.objectRef<TransactionEffects>('TransactionEffects').implement({
  description:
    'Effects of a transaction on positions of any wallet. Before and after are valued at the slot and the prices of the simulation, so they differ by the transaction alone.',
  fields: (t) => ({
    obligations: t.field({
      type: [ObligationEffectRef],
      nullable: true,
      description:
        'Obligations that it may change, in the order of their use. Null when the simulation fails: see `error`.',
      resolve: ({ obligations }): ObligationEffect[] | null => obligations && [...obligations],
    }),
    vaultPositions: t.field({
      type: [VaultPositionEffectRef],
      nullable: true,
      description:
        'Vault positions that it may change, in the order of their use, without those that have no shares before and after. Null when the simulation fails: see `error`.',
      resolve: ({ vaultPositions }): VaultEffect[] | null => vaultPositions && [...vaultPositions],
    }),
    error: t.expose('error', {
      type: ProgramFailureRef,
      nullable: true,
      description:
        'Error with which the transaction would fail, so that it has no effects. Null when it would succeed.',
    }),
    slot: t.expose('slot', { type: 'U64', description: 'Slot of the simulation.' }),
  }),
});
