import { CommitmentLevel, type FilterAccountsInput, type SubscribeRequest } from '@sluice/geyser/messages';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { CLOCK_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { TOKEN_ACCOUNT_OFFSETS } from '@sluice/protocol/token/token-account';
import type { Commitment } from '@solana/kit';
import type { StreamLinks } from './stream-links.ts';
import { type StreamedKind, TOKEN_PROGRAMS } from './streamed-kinds.ts';

/** Names of the filters that do not belong to a kind. */
export const NAMED_FILTER = 'named';
const CLOSED_FILTER = 'closed';
const SHARES_FILTER = 'shares';

/**
 * The level at which slots are applied. A stream of processed accounts brings those of forks before anyone knows which fork
 * remains, so it is followed at `confirmed`.
 */
export function levelOf(commitment: Commitment): CommitmentLevel {
  return commitment === 'finalized' ? CommitmentLevel.FINALIZED : CommitmentLevel.CONFIRMED;
}

/** Everything that Views are made of. A filter holds for one kind, because its conditions are joined by "and". */
export function subscriptionTo(
  kinds: readonly StreamedKind[],
  links: StreamLinks,
  commitment: Commitment,
  fromSlot: bigint | null,
): SubscribeRequest {
  const accounts = new Map<string, FilterAccountsInput>();
  for (const { kind, program, discriminator } of kinds)
    accounts.set(kind, { owner: [program], filters: [{ memcmp: { offset: 0n, bytes: discriminator } }] });
  accounts.set(NAMED_FILTER, { account: [CLOCK_SYSVAR, ...links.kinds.keys()] });
  const offset = BigInt(TOKEN_ACCOUNT_OFFSETS.mint);
  for (const mint of links.shareMints)
    accounts.set(`${SHARES_FILTER}:${mint}`, {
      owner: [...TOKEN_PROGRAMS],
      filters: [{ memcmp: { offset, bytes: addressBytes(mint) } }],
    });
  // The owner is tested after the write: that of a closed account is usually the system program.
  accounts.set(CLOSED_FILTER, { owner: [SYSTEM_PROGRAM], filters: [{ lamports: { eq: 0n } }] });
  return {
    accounts,
    slots: new Map([['slots', { interslotUpdates: true }]]),
    blocksMeta: new Map([['blocks', {}]]),
    commitment: levelOf(commitment),
    ...(fromSlot === null ? {} : { fromSlot }),
  };
}
