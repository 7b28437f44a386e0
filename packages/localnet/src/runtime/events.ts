import { EVENT_TAG } from '@sluice/protocol/layout/event';
import type { ArgsOf, InstructionLayout } from '@sluice/protocol/layout/instruction';
import { eventAuthority } from '@sluice/protocol/layout/pda';
import type { Fields } from '@sluice/protocol/layout/struct';
import { ANCHOR_ERRORS, ensure } from './anchor.ts';
import { checkSeeds } from './anchor-accounts.ts';
import { InstructionError } from './instruction-error.ts';
import type { Invocation, Program } from './program.ts';

/** Records an event: the program calls itself, and the call stays among the inner instructions. */
export function emit<F extends Fields>(
  { program, invoke }: Invocation,
  event: InstructionLayout<{ readonly eventAuthority: 'signer' }, F>,
  values: ArgsOf<F>,
): void {
  const authority = eventAuthority(program).address;
  invoke(event.encode(program, { eventAuthority: authority }, values), [authority]);
}

/** Accepts the calls with which the program records its events, and nobody else's. */
export function withEvents({ address, run }: Program): Program {
  return {
    address,
    run(invocation) {
      const start = Buffer.from(invocation.data.subarray(0, 8)).toString('hex');
      if (start !== EVENT_TAG) {
        run(invocation);
        return;
      }
      const [authority] = invocation.accounts;
      if (authority === undefined) throw new InstructionError('NotEnoughAccountKeys');
      ensure(authority.isSigner, ANCHOR_ERRORS.constraintSigner);
      checkSeeds(authority, eventAuthority(address));
    },
  };
}
