import type { AccountInfo } from '@sluice/geyser/messages';
import { addressFromBytes } from '@sluice/protocol/layout/base58';
import type { ChainAccount } from '../../accounts/account-page.ts';
import { isPositionKind } from '../../positions/position-kinds.ts';
import { isKind, type LiveKind } from '../../view/kinds.ts';
import type { View } from '../../view/view.ts';
import { StreamFault } from './stream-fault.ts';
import { beginsWith, type StreamedKind } from './streamed-kinds.ts';

const ADDRESS_BYTES = 32;

/** A copy: the update is a part of a larger message. @throws StreamFault when it is no account */
export function accountOf(info: AccountInfo | null, slot: bigint): ChainAccount {
  if (info?.pubkey.length !== ADDRESS_BYTES || info.owner.length !== ADDRESS_BYTES)
    throw new StreamFault('WRONG_ACCOUNT');
  return {
    address: addressFromBytes(info.pubkey),
    owner: addressFromBytes(info.owner),
    lamports: info.lamports,
    data: info.data.slice(),
    slot,
  };
}

/** Compares accounts with the filters that they are sent for, and with what is known of them. */
export class AccountCheck {
  readonly #byFilter: ReadonlyMap<string, StreamedKind>;

  constructor(kinds: readonly StreamedKind[]) {
    this.#byFilter = new Map(kinds.map((each) => [each.kind, each]));
  }

  /** @throws StreamFault when an endpoint that tells the truth would not send the account */
  examine(account: ChainAccount, filters: readonly string[], view: View | undefined): void {
    if (account.lamports === 0n) return;
    for (const filter of filters) {
      const wanted = this.#byFilter.get(filter);
      if (wanted === undefined) continue;
      const { kind, program, discriminator, size } = wanted;
      const isOfKind = account.owner === program && beginsWith(account.data, discriminator);
      if (!isOfKind || (account.data.length < size && wasLonger(view, kind, account)))
        throw new StreamFault('WRONG_ACCOUNT');
    }
  }

  /** @throws StreamFault when an account that is followed by its address has changed its owner or lost bytes */
  examineNamed(account: ChainAccount, kinds: readonly LiveKind[], view: View | undefined): void {
    for (const kind of kinds) {
      const held = isKind(kind) ? view?.get(kind, account.address) : undefined;
      if ((held !== undefined && held.owner !== account.owner) || wasLonger(view, kind, account))
        throw new StreamFault('WRONG_ACCOUNT');
    }
  }
}

/** Whether a longer account of the kind is held: the programs never shrink theirs. */
function wasLonger(view: View | undefined, kind: LiveKind, { address, data }: ChainAccount): boolean {
  const held = isKind(kind)
    ? view?.get(kind, address)
    : isPositionKind(kind)
      ? view?.positions?.account(kind, address)
      : undefined;
  return held !== undefined && held !== null && held.data.length > data.length;
}
