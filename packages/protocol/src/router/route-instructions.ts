import { u8, u16, u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Swaps of an exact amount by the Jupiter router. The steps of the route follow the arguments. */

const routeArguments = {
  inAmount: u64,
  quotedOutAmount: u64,
  /** The router fails when it would pay less than `quotedOutAmount` without this part. */
  slippageBps: u16,
  platformFeeBps: u16,
  positiveSlippageBps: u16,
} as const;

export const routeV2 = instructionLayout('routeV2', 'bb64facc31c4af14', routeArguments, {
  userTransferAuthority: 'signer',
  userSourceTokenAccount: 'writable',
  userDestinationTokenAccount: 'writable',
  sourceMint: 'readonly',
  destinationMint: 'readonly',
  sourceTokenProgram: 'readonly',
  destinationTokenProgram: 'readonly',
  /** Receives the tokens instead of the account of the user. */
  destinationTokenAccount: 'writable?',
  eventAuthority: 'readonly',
  program: 'readonly',
});

/** The same through token accounts of the router. */
export const sharedAccountsRouteV2 = instructionLayout(
  'sharedAccountsRouteV2',
  'd19853937cfed8e9',
  { id: u8, ...routeArguments },
  {
    programAuthority: 'readonly',
    userTransferAuthority: 'signer',
    sourceTokenAccount: 'writable',
    programSourceTokenAccount: 'writable',
    programDestinationTokenAccount: 'writable',
    destinationTokenAccount: 'writable',
    sourceMint: 'readonly',
    destinationMint: 'readonly',
    sourceTokenProgram: 'readonly',
    destinationTokenProgram: 'readonly',
    eventAuthority: 'readonly',
    program: 'readonly',
  },
);
