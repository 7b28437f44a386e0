import type { ProgramName } from '@sluice/protocol/deployments';
import { farmState } from '@sluice/protocol/farms/farm-state';
import { globalConfig } from '@sluice/protocol/farms/global-config';
import { userState } from '@sluice/protocol/farms/user-state';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { reserve } from '@sluice/protocol/klend/reserve';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { vaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { type RawAccount, viewOf } from '@sluice/protocol/layout/account';
import { type PaddingScan, paddingScan, type UsedPadding } from '@sluice/protocol/layout/padding';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { type Decoders, NAMES } from './kinds.ts';

/** Every kind of account that is decoded and has padding, with its program. */
const PADDED = {
  market: { name: NAMES.market, program: 'klend', layout: lendingMarket },
  reserve: { name: NAMES.reserve, program: 'klend', layout: reserve },
  obligation: { name: NAMES.obligation, program: 'klend', layout: obligation },
  withdrawTicket: { name: NAMES.withdrawTicket, program: 'klend', layout: withdrawTicket },
  userMetadata: { name: NAMES.userMetadata, program: 'klend', layout: userMetadata },
  referrerTokenState: { name: "referrer's fees", program: 'klend', layout: referrerTokenState },
  vault: { name: NAMES.vault, program: 'kvault', layout: vaultState },
  vaultConfig: { name: 'vault settings', program: 'kvault', layout: vaultGlobalConfig },
  farm: { name: NAMES.farm, program: 'farms', layout: farmState },
  farmUser: { name: NAMES.farmUser, program: 'farms', layout: userState },
  farmConfig: { name: 'farm settings', program: 'farms', layout: globalConfig },
} as const satisfies Record<string, Padded>;

interface Padded {
  /** In messages. */
  readonly name: string;
  readonly program: ProgramName;
  readonly layout: Parameters<typeof paddingScan>[0] & { readonly size: number };
}

export type PaddedKind = keyof typeof PADDED;

export const paddedName = (kind: PaddedKind): string => PADDED[kind].name;

/** A field that the layouts call padding and that is not zero in live accounts. */
export interface PaddingUse {
  readonly kind: PaddedKind;
  /** Path of the field, with `[]` for any item of an array. */
  readonly field: string;
  /** Lowest offset in an account at which a byte of the field is not zero. */
  readonly offset: number;
  /** An account with a byte at this offset that is not zero. */
  readonly example: Address;
  /** Accounts seen so far, at most `MAX_COUNTED`. */
  readonly accounts: number;
}

/** Bounds the memory for addresses of accounts that are read on demand. */
const MAX_COUNTED = 10_000;
/** Anchor's tag of the kind of an account. */
const DISCRIMINATOR_BYTES = 8;

interface Finding {
  use: UsedPadding & { readonly kind: PaddedKind; readonly example: Address };
  readonly accounts: Set<Address>;
}

interface Scan {
  readonly kind: PaddedKind;
  readonly discriminator: bigint;
  readonly size: number;
  readonly scan: PaddingScan;
}

/** Finds padding that is not zero in the accounts that are read: a program newer than our layouts stores something there. */
export class PaddingWatch {
  readonly #onFirst: (use: PaddingUse) => void;
  readonly #records = new Map<string, Finding>();
  readonly #scans = new Map<Address, Scan[]>();
  readonly #kinds = new Set<PaddedKind>();

  /** @param onFirst called once per kind and field */
  constructor(programs: ProgramIds, onFirst: (use: PaddingUse) => void = () => undefined) {
    this.#onFirst = onFirst;
    for (const [kind, { program, layout }] of Object.entries(PADDED)) {
      const scans = this.#scans.get(programs[program]) ?? [];
      scans.push({
        kind: kind as PaddedKind,
        discriminator: viewOf(layout.discriminator).getBigUint64(0, true),
        size: layout.size,
        scan: paddingScan(layout),
      });
      this.#scans.set(programs[program], scans);
    }
  }

  /** The same decoders, each scanning what it decodes. */
  around(decoders: Decoders): Decoders {
    const scanning = Object.entries(decoders).map(([kind, decode]) => [
      kind,
      (account: RawAccount, last?: never) => {
        const value = decode(account, last);
        this.see(account);
        return value;
      },
    ]);
    return Object.fromEntries(scanning) as Decoders;
  }

  /** Scans an account of any kind; its program and discriminator tell which. For those that no decoder above decodes. */
  see({ owner, data, address }: RawAccount): void {
    const scans = this.#scans.get(owner);
    if (scans === undefined || address === undefined || data.length < DISCRIMINATOR_BYTES) return;
    const discriminator = viewOf(data).getBigUint64(0, true);
    for (const { kind, scan, size, discriminator: wanted } of scans) {
      if (wanted !== discriminator || data.length < size) continue;
      this.#kinds.add(kind);
      for (const used of scan(data)) this.#note(kind, used, address);
    }
  }

  /** Findings so far. */
  uses(): readonly PaddingUse[] {
    return [...this.#records.values()].map(useOf);
  }

  /** Kinds of which an account was scanned. */
  kinds(): readonly PaddedKind[] {
    return (Object.keys(PADDED) as PaddedKind[]).filter((kind) => this.#kinds.has(kind));
  }

  #note(kind: PaddedKind, used: UsedPadding, example: Address): void {
    const key = `${kind} ${used.field}`;
    const known = this.#records.get(key);
    if (known === undefined) {
      const record = { use: { ...used, kind, example }, accounts: new Set([example]) };
      this.#records.set(key, record);
      this.#onFirst(useOf(record));
      return;
    }
    if (used.offset < known.use.offset) known.use = { ...used, kind, example };
    if (known.accounts.size < MAX_COUNTED) known.accounts.add(example);
  }
}

const useOf = ({ use, accounts }: Finding): PaddingUse => ({ ...use, accounts: accounts.size });

/** A finding as a sentence, with its place and what to do about it. */
export function paddingWarning({ kind, field, offset, example }: PaddingUse): string {
  return `The ${PADDED[kind].name} ${example} has bytes in ${field} (offset ${offset}) that this release takes for unused: a newer program may store something there, so compare its version with the one that this release implements.`;
}
