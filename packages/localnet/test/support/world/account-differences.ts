import { farmState } from '@sluice/protocol/farms/farm-state';
import { userState } from '@sluice/protocol/farms/user-state';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { reserve } from '@sluice/protocol/klend/reserve';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { decodeMint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { StoredAccount } from '../../../src/runtime/stored-account.ts';

/** A field of an account that the engine and the runtime leave with different values. */
export interface AccountDifference {
  /** The kind of account and the field, with `*` for a position in a list. */
  readonly path: string;
  readonly address: Address;
  readonly engine: unknown;
  readonly runtime: unknown;
}

const LAYOUTS = [
  reserve,
  obligation,
  lendingMarket,
  referrerTokenState,
  userMetadata,
  vaultState,
  farmState,
  userState,
];

export function differencesBetween(
  address: Address,
  engine: StoredAccount | undefined,
  runtime: StoredAccount | undefined,
): AccountDifference[] {
  const found: AccountDifference[] = [];
  const note = (path: string, ours: unknown, theirs: unknown) =>
    found.push({ path, address, engine: ours, runtime: theirs });
  const kept = runtime?.lamports === 0n ? undefined : runtime;
  if (engine === undefined || kept === undefined) {
    if (engine !== kept) note('exists', engine !== undefined, kept !== undefined);
    return found;
  }
  if (engine.owner !== kept.owner) note('owner', engine.owner, kept.owner);
  if (engine.lamports !== kept.lamports) note('lamports', engine.lamports, kept.lamports);
  if (Buffer.compare(engine.data, kept.data) === 0) return found;
  const before = found.length;
  const [ours, theirs] = [decoded(address, engine), decoded(address, kept)];
  compareFields(ours.name, ours.value, theirs.value, note);
  if (found.length === before) note(`${ours.name} bytes`, firstDifference(engine, kept), null);
  return found;
}

function decoded(address: Address, account: StoredAccount): { name: string; value: unknown } {
  for (const layout of LAYOUTS) {
    if (!layout.discriminator.every((byte, i) => account.data[i] === byte)) continue;
    return { name: layout.name, value: layout.decode({ ...account, address }, account.owner) };
  }
  if (account.data.length === 82) return { name: 'mint', value: decodeMint({ ...account, address }) };
  return { name: 'token account', value: decodeTokenAccount({ ...account, address }) };
}

function compareFields(
  path: string,
  engine: unknown,
  runtime: unknown,
  note: (path: string, engine: unknown, runtime: unknown) => void,
): void {
  if (isRecord(engine) && isRecord(runtime)) {
    const inList = Array.isArray(engine);
    // The fields of a decoded account are inherited getters.
    for (const key in engine) {
      compareFields(`${path}.${inList ? '*' : key}`, engine[key], runtime[key], note);
    }
  } else if (engine !== runtime) {
    note(path, engine, runtime);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function firstDifference({ data }: StoredAccount, other: StoredAccount): number {
  return data.findIndex((byte, i) => byte !== other.data[i]);
}
