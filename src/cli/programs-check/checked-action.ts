import type { KeyPairSigner } from '@solana/kit';
import type { ActionKind } from '../../builders/action-kinds.ts';
import type { BuildRequest, PreviewAnswer } from './build.ts';
import type { Figures } from './figures.ts';
import type { Ask } from './gateway.ts';

/** One step of the check. */
export interface CheckedAction {
  readonly kind: ActionKind;
  readonly name: string;
  /** The request, or why there is none on this cluster or for this wallet. */
  readonly prepare: (ask: Ask) => Promise<BuildRequest | Skipped> | BuildRequest | Skipped;
  /** Sign besides the wallet. */
  readonly signers?: readonly KeyPairSigner[];
  /** Refusals that only mean that there is nothing to act on. */
  readonly nothingToDo?: readonly string[];
  /** The figures that the preview predicts. @param before those that were read before the action was sent */
  readonly predicted: (preview: PreviewAnswer, before: Figures) => Figures;
  /** Reads the same figures through the gateway. */
  readonly readBack: (ask: Ask, preview: PreviewAnswer) => Promise<Figures>;
}

export interface Skipped {
  readonly skipped: string;
}
