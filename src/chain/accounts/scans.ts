import { userState } from '@sluice/protocol/farms/user-state';
import { obligation } from '@sluice/protocol/klend/obligation';
import { viewOf } from '@sluice/protocol/layout/account';
import { addressBytes, readAddress } from '@sluice/protocol/layout/base58';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import { bytesOf } from '@sluice/rpc-pool';
import type { Address, Commitment, GetProgramAccountsApi, Rpc } from '@solana/kit';
import type { ChainAccount } from './account-page.ts';
import { memcmp } from './memcmp.ts';

/** Scans of all accounts of a program, limited to the bytes needed. For the recorder; never during a request. */
export interface ScanSources {
  readonly rpc: Rpc<GetProgramAccountsApi>;
  readonly programs: ProgramIds;
  readonly commitment: Commitment;
}

/** The bytes of an obligation up to its positions and elevation group. Orders and padding follow. */
const OBLIGATION_BYTES = obligation.offsetOf('referrer');

/** Every obligation of the lending program, in one call. Bytes beyond the positions are zero. */
export async function scanObligations(
  { rpc, programs, commitment }: ScanSources,
  signal: AbortSignal,
): Promise<ChainAccount[]> {
  const { context, value } = await rpc
    .getProgramAccounts(programs.klend, {
      encoding: 'base64',
      commitment,
      withContext: true,
      dataSlice: { offset: 0, length: OBLIGATION_BYTES },
      filters: [memcmp(0, obligation.discriminator)],
    })
    .send({ abortSignal: signal });
  return value.map(({ pubkey, account }) => {
    const data = new Uint8Array(obligation.size);
    data.set(bytesOf(account.data).subarray(0, data.length));
    return { address: pubkey, owner: account.owner, lamports: account.lamports, data, slot: context.slot };
  });
}

/** Where a vault's shares are: their mint, its token program, and the farm in which they are staked, if any. */
export interface SharesToCount {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly farm: Address | null;
  /** Token accounts that hold shares on behalf of others, such as the farm's vault. */
  readonly pooled: ReadonlySet<Address>;
}

const TOKEN_ACCOUNT_MINT = 0;
/** The owner (32 bytes) is followed by the amount (8). */
const TOKEN_ACCOUNT_OWNER = 32;

/** Number of wallets that hold shares of a vault, in a token account or staked. */
export async function countHolders(
  sources: ScanSources,
  { mint, tokenProgram, farm, pooled }: SharesToCount,
  signal: AbortSignal,
): Promise<number> {
  const { rpc, programs, commitment } = sources;
  const common = { encoding: 'base64', commitment } as const;
  const [accounts, stakes] = await Promise.all([
    rpc
      .getProgramAccounts(tokenProgram, {
        ...common,
        dataSlice: { offset: TOKEN_ACCOUNT_OWNER, length: 40 },
        filters: [memcmp(TOKEN_ACCOUNT_MINT, addressBytes(mint))],
      })
      .send({ abortSignal: signal }),
    farm === null
      ? []
      : rpc
          .getProgramAccounts(programs.farms, {
            ...common,
            dataSlice: { offset: userState.offsetOf('owner'), length: STAKE_BYTES },
            filters: [
              memcmp(0, userState.discriminator),
              memcmp(userState.offsetOf('farmState'), addressBytes(farm)),
            ],
          })
          .send({ abortSignal: signal }),
  ]);
  const holders = new Set<Address>();
  for (const { pubkey, account } of accounts) {
    const data = bytesOf(account.data);
    if (!pooled.has(pubkey) && data.length >= 40 && viewOf(data).getBigUint64(32, true) > 0n) {
      holders.add(readAddress(viewOf(data), 0));
    }
  }
  for (const { account } of stakes) {
    const data = bytesOf(account.data);
    if (data.length >= STAKE_BYTES && data.subarray(STAKE_AT, STAKE_BYTES).some((byte) => byte !== 0)) {
      holders.add(readAddress(viewOf(data), 0));
    }
  }
  return holders.size;
}

const STAKE_AT = userState.offsetOf('activeStakeScaled') - userState.offsetOf('owner');
const STAKE_BYTES = STAKE_AT + 16;
