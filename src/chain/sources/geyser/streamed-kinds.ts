import { farmState } from '@sluice/protocol/farms/farm-state';
import { userState } from '@sluice/protocol/farms/user-state';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { reserve } from '@sluice/protocol/klend/reserve';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { viewOf } from '@sluice/protocol/layout/account';
import { readAddress } from '@sluice/protocol/layout/base58';
import { type ProgramIds, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { TOKEN_ACCOUNT_BYTES, TOKEN_ACCOUNT_OFFSETS } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../accounts/account-page.ts';
import type { LiveKind } from '../../view/kinds.ts';
import type { StreamLinks } from './stream-links.ts';

/** A kind that is followed by its program and discriminator. */
export interface StreamedKind {
  readonly kind: LiveKind;
  readonly program: Address;
  readonly discriminator: Uint8Array;
  /** Least bytes of an account. */
  readonly size: number;
}

export const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

const FARM_OF_STAKE = userState.offsetOf('farmState');
const KLEND = {
  market: lendingMarket,
  reserve,
  obligation,
  withdrawTicket,
  userMetadata,
  referrerTokenState,
};
const KVAULT = { vault: vaultState };
const FARMS = { farm: farmState, farmUser: userState };

export function streamedKinds({ klend, kvault, farms }: ProgramIds): readonly StreamedKind[] {
  return (
    [
      [klend, KLEND],
      [kvault, KVAULT],
      [farms, FARMS],
    ] as const
  ).flatMap(([program, layouts]) =>
    Object.entries(layouts).map(([kind, { discriminator, size }]) => ({
      kind: kind as LiveKind,
      program,
      discriminator,
      size,
    })),
  );
}

/** Tells the kinds of the accounts of a stream. */
export class AccountKinds {
  readonly #byProgram = new Map<Address, StreamedKind[]>();

  constructor(kinds: readonly StreamedKind[]) {
    for (const each of kinds) {
      const known = this.#byProgram.get(each.program);
      if (known === undefined) this.#byProgram.set(each.program, [each]);
      else known.push(each);
    }
  }

  /** The kinds as which the account is wanted. An account of another program is so only where it is named. */
  of(account: ChainAccount, links: StreamLinks): readonly LiveKind[] {
    const named = links.kinds.get(account.address) ?? [];
    const kind = this.#kindOf(account, links);
    if (kind === null) return named;
    return named.length === 0 ? [kind] : [...new Set<LiveKind>([...named, kind])];
  }

  #kindOf({ owner, data }: ChainAccount, { shareMints, farms }: StreamLinks): LiveKind | null {
    if (TOKEN_PROGRAMS.includes(owner)) {
      const isOfShares =
        data.length >= TOKEN_ACCOUNT_BYTES &&
        shareMints.has(readAddress(viewOf(data), TOKEN_ACCOUNT_OFFSETS.mint));
      return isOfShares ? 'tokenAccount' : null;
    }
    const found = this.#byProgram.get(owner)?.find(({ discriminator }) => beginsWith(data, discriminator));
    if (found?.kind !== 'farmUser') return found?.kind ?? null;
    const isFollowed =
      data.length >= FARM_OF_STAKE + 32 && farms.has(readAddress(viewOf(data), FARM_OF_STAKE));
    return isFollowed ? 'farmUser' : null;
  }
}

export function beginsWith(data: Uint8Array, prefix: Uint8Array): boolean {
  return data.length >= prefix.length && prefix.every((byte, i) => data[i] === byte);
}
