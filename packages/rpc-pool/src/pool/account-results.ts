import type { RpcApi, RpcPlan, SolanaRpcApi } from '@solana/kit';
import { type Pause, U64_MAX } from '../transport/account-json.ts';
import { asksForEncodedAccounts } from '../transport/rpc-request.ts';

type PlanMaker = (...params: unknown[]) => RpcPlan<unknown>;
type Execution = Parameters<RpcPlan<unknown>['execute']>[0];

/**
 * Converts pages of base64 accounts without kit's traversal of every node of the answer, which takes several times as long
 * as parsing a large page. All other calls are left to kit.
 */
export function withFastAccountResults(api: RpcApi<SolanaRpcApi>, pause: Pause): RpcApi<SolanaRpcApi> {
  return new Proxy(api, {
    get(target, name, receiver) {
      const makePlan: PlanMaker = Reflect.get(target, name, receiver);
      return (...params: unknown[]) => {
        const plan = makePlan(...params);
        return asksForEncodedAccounts(name, params)
          ? { execute: (e: Execution) => executeFast(plan, e, pause) }
          : plan;
      };
    },
  });
}

/** Kit prepares the request and receives an empty result; the real one bypasses its transformers. */
async function executeFast(
  plan: RpcPlan<unknown>,
  { transport, ...execution }: Execution,
  pause: Pause,
): Promise<unknown> {
  let result: unknown;
  await plan.execute({
    ...execution,
    transport: async <T>(config: Parameters<typeof transport>[0]) => {
      ({ result } = await transport<{ result: unknown }>(config));
      return { result: null } as T;
    },
  });
  await upcast(result, pause);
  return result;
}

type Fields = Record<string, unknown>;

/** Accounts to convert before the clock is looked at: more than a page has, so only scans pause. */
const ENTRIES_PER_CHECK = 1_000;

/** Converts the integers of an answer to `bigint`, in place. Its shape was checked before. */
async function upcast(result: unknown, pause: Pause): Promise<void> {
  if (Array.isArray(result)) {
    for (const [i, entry] of result.entries()) {
      if (i % ENTRIES_PER_CHECK === ENTRIES_PER_CHECK - 1) await pause();
      upcastAccount(entry);
    }
  } else {
    const { context, value } = result as { context: Fields; value: unknown };
    upcastField(context, 'slot');
    await upcast(value, pause);
  }
}

/** Accepts an account, or a pair of address and account. */
function upcastAccount(entry: Fields | null): void {
  if (entry === null) return;
  const account = 'account' in entry ? (entry.account as Fields) : entry;
  upcastField(account, 'lamports');
  upcastField(account, 'rentEpoch');
  upcastField(account, 'space');
}

function upcastField(fields: Fields, name: string): void {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isInteger(value)) return;
  fields[name] = value === Number(U64_MAX) ? U64_MAX : BigInt(value);
}
