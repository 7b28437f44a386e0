import { z } from '@hono/zod-openapi';
import { address, text } from '../values/address.ts';
import { u64 } from '../values/u64.ts';

const NOT_AN_OBJECT = 'must be an object with the documented fields';
const ROLES = ['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER'] as const;

const SwapAccountBody = z
  .object(
    {
      address: address('Address of the account.'),
      role: z
        .enum(ROLES, { error: `must be one of ${ROLES.join(', ')}` })
        .openapi({ description: 'Use of the account by the instruction.' }),
    },
    { error: NOT_AN_OBJECT },
  )
  .openapi('SwapAccount');

const SwapInstructionBody = z
  .object(
    {
      programAddress: address('The program that executes the instruction.'),
      accounts: z
        .array(SwapAccountBody, { error: 'must be a list of accounts' })
        .openapi({ description: 'The accounts, in the order that the program expects, at most 64.' }),
      data: text('bytes in base64').openapi({ format: 'byte', description: 'Instruction data in base64.' }),
    },
    { error: NOT_AN_OBJECT },
  )
  .openapi('SwapInstruction');

/** A swap of the caller, the same as `SwapInput` in GraphQL. */
export const SwapBody = z
  .object(
    {
      instructions: z.array(SwapInstructionBody, { error: 'must be a list of instructions' }).openapi({
        description: 'The instructions, in order, 1 to 16. Without setup, cleanup or compute budget ones.',
      }),
      lookupTables: z
        .array(address('Address of a lookup table.'), { error: 'must be a list of addresses' })
        .optional()
        .openapi({ description: 'Lookup tables that hold the accounts of the swap.' }),
      inAmount: u64(
        'Base units that the swap spends. Required for a swap of debt; by default all that is withdrawn.',
      ).optional(),
      minOut: u64(
        'Minimum base units that the swap pays into the wallet; it must fail otherwise. The action never relies on more.',
      ),
      signers: z
        .array(address('Address of a signer.'), { error: 'must be a list of addresses' })
        .optional()
        .openapi({ description: 'Signers of the swap besides the wallet and the fee payer, at most 4.' }),
    },
    { error: NOT_AN_OBJECT },
  )
  .openapi('Swap', {
    description:
      'A swap from any router. Without it, the deployment quotes one if its operator has enabled that, on the accounts before the build; otherwise `QUOTES_OFF`. It spends and pays the associated token accounts of the wallet. It must not call the platform\u2019s programs or the compute budget, write accounts of the loan, or close token accounts of the loan.',
  });
