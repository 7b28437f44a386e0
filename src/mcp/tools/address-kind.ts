import { z } from 'zod';
import type { RequestedState } from '../graph.ts';
import type { Caller } from '../tool.ts';
import { errorOf, ToolError } from '../tool-error.ts';

export const KINDS = ['vault', 'reserve', 'market', 'obligation', 'token', 'wallet'] as const;
export type AddressKind = (typeof KINDS)[number];

/** Errors that say that an account is of another kind. */
const OTHER_KIND = new Set([
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_WRONG_OWNER',
  'ACCOUNT_WRONG_DISCRIMINATOR',
  'ACCOUNT_TOO_SHORT',
  'ACCOUNT_MALFORMED',
]);

/** An address, with its kind when the caller knows it. */
export const ADDRESS = {
  address: z.string().describe('Address in base58; of a token its mint.'),
  kind: z
    .enum(KINDS)
    .optional()
    .describe(
      'Kind of the address. Found out when it is not given; an account of no other kind is a wallet.',
    ),
};

export interface FoundKind {
  readonly kind: AddressKind;
  /** The state in which it was found, so that later reads use the same one. */
  readonly state: RequestedState;
}

/** @throws ToolError when the address is invalid, or the chain cannot be read */
export async function findKind(
  caller: Caller,
  { address, kind }: { readonly address: string; readonly kind?: AddressKind | undefined },
  state: RequestedState,
): Promise<FoundKind> {
  if (kind !== undefined) return { kind, state };
  const { data, errors, extensions } = await caller.look('find-kind', { address }, state);
  const found = KINDS.find((each) => data?.[each] !== null && data?.[each] !== undefined);
  const failure = errors.find(({ extensions: about }) => !OTHER_KIND.has(about?.code ?? ''));
  if (found === undefined && failure !== undefined) throw new ToolError(errorOf(failure));
  const view = extensions?.chain?.view;
  return { kind: found ?? 'wallet', state: view === undefined ? state : { view } };
}
