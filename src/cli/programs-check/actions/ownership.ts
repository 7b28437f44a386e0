import type { Address } from '@solana/kit';
import type { CheckedAction } from '../checked-action.ts';
import { NONE } from '../figures.ts';
import { newOwnerOf } from '../read-back.ts';
import type { Subject } from '../subject.ts';

/** Offers the loan to another wallet, and withdraws the offer. */
export function transfers(
  { wallet, market, liquidatable }: Subject,
  obligation: Address,
): readonly CheckedAction[] {
  const step = (
    kind: CheckedAction['kind'],
    name: string,
    verb: 'Initiate' | 'Abort',
    input: object | null,
  ): CheckedAction => ({
    kind,
    name,
    prepare: () =>
      input === null
        ? { skipped: 'no other wallet is known' }
        : {
            mutation: `build${verb}ObligationTransfer`,
            inputType: `${verb}ObligationTransferInput`,
            input: { wallet, market, ...input },
          },
    predicted: ({ ownership }) => ({ newOwner: ownership?.after?.newOwner ?? NONE }),
    readBack: async (ask) => await newOwnerOf(ask, obligation),
  });
  const offer = liquidatable === null ? null : { newOwner: liquidatable.owner };
  return [
    step('INITIATE_OBLIGATION_TRANSFER', 'offer loan', 'Initiate', offer),
    {
      ...step('ABORT_OBLIGATION_TRANSFER', 'withdraw offer', 'Abort', {}),
      nothingToDo: ['BUILD_REFUSED'],
    },
  ];
}
