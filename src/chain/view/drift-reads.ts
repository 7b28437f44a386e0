import { lastUpdate } from '@sluice/protocol/klend/last-update';
import { type Obligation, obligation } from '@sluice/protocol/klend/obligation';
import { type Reserve, reserve } from '@sluice/protocol/klend/reserve';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import { bytesOf } from '@sluice/rpc-pool';
import type { Address, Commitment, GetMultipleAccountsApi, GetProgramAccountsApi, Rpc } from '@solana/kit';
import { activeBorrows, activeDeposits } from '../../domain/obligation.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import { ACCOUNTS_PER_PAGE, type ChainAccount, readPage } from '../accounts/account-page.ts';
import { memcmp } from '../accounts/memcmp.ts';
import type { PaddingWatch } from './padding-watch.ts';

export interface DriftSources {
  readonly rpc: Rpc<GetProgramAccountsApi & GetMultipleAccountsApi>;
  readonly programs: ProgramIds;
  readonly commitment: Commitment;
  /** Scans the accounts that are read whole. */
  readonly padding: Pick<PaddingWatch, 'see'>;
}

/** Recently refreshed obligations and their reserves, read in one page. */
export interface RefreshedObligations {
  readonly obligations: readonly { readonly address: Address; readonly value: Obligation }[];
  readonly reserves: ReadonlyMap<Address, { readonly value: Reserve; readonly data: Uint8Array }>;
}

/** The node filters by the upper bytes of the last-update slot, which change every 256 slots. */
const WINDOW_BITS = 8n;
const WINDOW_BYTES = 7;
const LAST_UPDATE = obligation.offsetOf('lastUpdate');
const SLOT = LAST_UPDATE + lastUpdate.offsets.slot;
const STALE = LAST_UPDATE + lastUpdate.offsets.stale;
const POSITION_BYTES = obligation.offsetOf('referrer');

/** Up to `limit` obligations, newest first, refreshed in the last few minutes and not marked stale since. */
export async function readRefreshedObligations(
  sources: DriftSources,
  slot: bigint,
  limit: number,
  signal: AbortSignal,
): Promise<RefreshedObligations> {
  const window = slot >> WINDOW_BITS;
  const found = await refreshedIn(sources, window, signal);
  const enough = found.length > 0 ? found : await refreshedIn(sources, window - 1n, signal);
  enough.sort((a, b) => Number(b.value.lastUpdate.slot - a.value.lastUpdate.slot));
  const { obligations, reserves } = fitting(enough.slice(0, limit));
  const options = { commitment: sources.commitment, minSlot: 0n, signal };
  const page = await readPage(sources.rpc, [...obligations, ...reserves], options);
  const { klend } = sources.programs;
  for (const account of page.accounts) if (account !== null) sources.padding.see(account);
  return {
    obligations: page.accounts.slice(0, obligations.length).flatMap((account) => {
      const value = account && decoded(() => obligation.decode(account, klend));
      return account && value ? [{ address: account.address, value }] : [];
    }),
    reserves: new Map(
      page.accounts.slice(obligations.length).flatMap((account) => {
        const value = account && decoded(() => reserve.decode(account, klend));
        return account && value ? [[account.address, { value, data: account.data }] as const] : [];
      }),
    ),
  };
}

interface Found {
  readonly address: Address;
  readonly value: Obligation;
}

async function refreshedIn(
  { rpc, programs, commitment }: DriftSources,
  window: bigint,
  signal: AbortSignal,
): Promise<Found[]> {
  const upper = Buffer.alloc(8);
  upper.writeBigUInt64LE(window);
  const accounts = await rpc
    .getProgramAccounts(programs.klend, {
      encoding: 'base64',
      commitment,
      dataSlice: { offset: 0, length: POSITION_BYTES },
      filters: [
        memcmp(0, obligation.discriminator),
        memcmp(SLOT + 1, upper.subarray(0, WINDOW_BYTES)),
        memcmp(STALE, Uint8Array.of(0)),
      ],
    })
    .send({ abortSignal: signal });
  return accounts.flatMap(({ pubkey, account }) => {
    const data = new Uint8Array(obligation.size);
    data.set(bytesOf(account.data).subarray(0, data.length));
    const whole = { address: pubkey, owner: account.owner, lamports: account.lamports, data, slot: 0n };
    const value = decoded(() => obligation.decode(whole satisfies ChainAccount, programs.klend));
    return value === null ? [] : [{ address: pubkey, value }];
  });
}

/** The obligations that fit into one page together with their reserves. */
function fitting(found: readonly Found[]): { obligations: Address[]; reserves: Set<Address> } {
  const obligations: Address[] = [];
  const reserves = new Set<Address>();
  for (const { address, value } of found) {
    const more = [
      ...activeDeposits(value).map(({ depositReserve }) => depositReserve),
      ...activeBorrows(value).map(({ borrowReserve }) => borrowReserve),
    ].filter((each) => !reserves.has(each));
    if (obligations.length + reserves.size + 1 + more.length > ACCOUNTS_PER_PAGE) break;
    obligations.push(address);
    for (const each of more) reserves.add(each);
  }
  return { obligations, reserves };
}

/** Null for an account that cannot be decoded: a scan found it, no caller named it. */
function decoded<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch (error) {
    if (isCodedError(error)) return null;
    throw error;
  }
}
