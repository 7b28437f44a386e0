import { builder } from '../../../builder.ts';
import { AccountRoleRef } from '../results/bundle.ts';

const SwapAccountRef = builder.inputType('SwapAccountInput', {
  description: 'An account of an instruction.',
  fields: (t) => ({
    address: t.field({ type: 'Address', required: true, description: 'Address of the account.' }),
    role: t.field({
      type: AccountRoleRef,
      required: true,
      description: 'Use of the account by the instruction.',
    }),
  }),
});

const SwapInstructionRef = builder.inputType('SwapInstructionInput', {
  description: 'An instruction of a swap, in the form in which builders return instructions.',
  fields: (t) => ({
    programAddress: t.field({
      type: 'Address',
      required: true,
      description: 'The program that executes it.',
    }),
    accounts: t.field({
      type: [SwapAccountRef],
      required: true,
      description: 'The accounts, in the order that the program expects, at most 64.',
    }),
    data: t.field({ type: 'Base64', required: true, description: 'The instruction data.' }),
  }),
});

/** Description of what an absent swap means. */
export const QUOTED =
  'Without a swap, the deployment quotes one if its operator has enabled that, on the accounts before the build; otherwise `QUOTES_OFF`.';

export const SwapInputRef = builder.inputType('SwapInput', {
  description:
    'A swap that the caller supplies, from any router. It spends and pays the associated token accounts of the wallet. It must not call the platform\u2019s programs or the compute budget, write accounts of the loan, or close token accounts of the loan.',
  fields: (t) => ({
    instructions: t.field({
      type: [SwapInstructionRef],
      required: true,
      description: 'The instructions, in order, 1 to 16. Without setup, cleanup or compute budget ones.',
    }),
    lookupTables: t.field({
      type: ['Address'],
      description: 'Lookup tables that hold the accounts of the swap.',
    }),
    inAmount: t.field({
      type: 'U64',
      description: 'Base units that the swap spends. Null when the action decides it.',
    }),
    minOut: t.field({
      type: 'U64',
      required: true,
      description:
        'Minimum base units that the swap pays into the wallet; it must fail otherwise. The action never relies on more.',
    }),
    signers: t.field({
      type: ['Address'],
      description: 'Signers of the swap besides the wallet and the fee payer, at most 4.',
    }),
  }),
});
