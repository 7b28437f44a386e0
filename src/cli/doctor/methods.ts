import { farmState } from '@sluice/protocol/farms/farm-state';
import {
  CLOCK_SYSVAR,
  COMPUTE_BUDGET_PROGRAM,
  NO_ADDRESS,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { setComputeUnitLimit } from '@sluice/protocol/system/instructions';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  type Rpc,
  type Signature,
  type SolanaRpcApi,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { memcmp } from '../../chain/accounts/memcmp.ts';
import { discoverable } from '../../chain/view/kinds.ts';
import type { Config } from '../../config/config.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { ask, type Target } from './probe.ts';

interface Method {
  readonly name: string;
  /** Whether the View cannot be read without it. */
  readonly essential: boolean;
  /** Features that need it. */
  readonly without: string;
  readonly call: (rpc: Rpc<SolanaRpcApi>) => Promise<unknown>;
}

/** Sixty-four zero bytes: the signature of no transaction. */
const NO_SIGNATURE = '1'.repeat(64) as Signature;
/** Preflight failure and signature verification failure. */
const UNSIGNED_CODES: readonly number[] = [-32_002, -32_003];

function methodsFor({ programs, sending, SOLANA_COMMITMENT: commitment }: Config): readonly Method[] {
  const scan = (program: Address, discriminator: Uint8Array) => (rpc: Rpc<SolanaRpcApi>) => {
    const filters = [memcmp(0, discriminator)];
    const dataSlice = { offset: 0, length: 0 };
    return rpc.getProgramAccounts(program, { encoding: 'base64', commitment, dataSlice, filters }).send();
  };
  return [
    {
      name: 'getMultipleAccounts',
      essential: true,
      without: 'nothing can be read',
      call: (rpc) => rpc.getMultipleAccounts([CLOCK_SYSVAR], { encoding: 'base64', commitment }).send(),
    },
    ...discoverable(programs).map(({ kind, program, discriminator }) => ({
      name: `getProgramAccounts (${kind}s)`,
      essential: true,
      without: `no ${kind} is found`,
      call: scan(program, discriminator),
    })),
    {
      name: 'getProgramAccounts (farms)',
      essential: false,
      without: 'farms are known only through the vaults and reserves that name them',
      call: scan(programs.farms, farmState.discriminator),
    },
    {
      name: 'getRecentPerformanceSamples',
      essential: true,
      without: 'yearly rates cannot be scaled to real time',
      call: (rpc) => rpc.getRecentPerformanceSamples(1).send(),
    },
    {
      name: 'getEpochSchedule',
      essential: false,
      without: 'yields of liquid-staking tokens and epochs are unknown',
      call: (rpc) => rpc.getEpochSchedule().send(),
    },
    {
      name: 'getTokenAccountsByOwner',
      essential: false,
      without: 'the positions of a wallet cannot be listed',
      call: (rpc) =>
        rpc
          .getTokenAccountsByOwner(programs.kvault, { programId: TOKEN_PROGRAM }, { encoding: 'base64' })
          .send(),
    },
    {
      name: 'getSignaturesForAddress',
      essential: false,
      without: 'no history of transactions is recorded',
      call: (rpc) => rpc.getSignaturesForAddress(programs.kvault, { limit: 1 }).send(),
    },
    {
      name: 'getTransaction',
      essential: false,
      without: 'no history of transactions is recorded',
      call: (rpc) =>
        rpc.getTransaction(NO_SIGNATURE, { encoding: 'base64', maxSupportedTransactionVersion: 0 }).send(),
    },
    {
      name: 'getLatestBlockhash',
      essential: false,
      without: 'built transactions have no lifetime',
      call: (rpc) => rpc.getLatestBlockhash().send(),
    },
    {
      name: 'getRecentPrioritizationFees',
      essential: false,
      without: 'priority fees cannot be chosen by level',
      call: (rpc) => rpc.getRecentPrioritizationFees().send(),
    },
    {
      name: 'simulateTransaction',
      essential: false,
      without: 'built transactions cannot be simulated',
      call: (rpc) =>
        rpc
          .simulateTransaction(harmlessTransaction(programs.kvault), {
            encoding: 'base64',
            replaceRecentBlockhash: true,
          })
          .send(),
    },
    ...(sending ? SENDING : []),
  ];
}

const NOT_SENT = 'signed transactions cannot be sent, although SEND_TRANSACTIONS enables it';
const SENDING: readonly Method[] = [
  {
    name: 'sendTransaction',
    essential: false,
    without: NOT_SENT,
    call: (rpc) =>
      answeredUnsigned(rpc.sendTransaction(harmlessTransaction(NO_ADDRESS), { encoding: 'base64' }).send()),
  },
  {
    name: 'getSignatureStatuses',
    essential: false,
    without: 'it stays unknown whether a sent transaction has landed',
    call: (rpc) => rpc.getSignatureStatuses([NO_SIGNATURE]).send(),
  },
];

/** An endpoint that takes transactions refuses an unsigned one for its signature, or because its preflight fails. */
async function answeredUnsigned(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isCodedError(error, 'RPC_REFUSED') || !UNSIGNED_CODES.includes(error.context.rpcCode)) throw error;
  }
}

/** Does nothing and is not signed, so no block can have it. A failed simulation is an answer, too. */
function harmlessTransaction(feePayer: Address) {
  const limit = setComputeUnitLimit.encode(COMPUTE_BUDGET_PROGRAM, {}, { units: 1_000 });
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(feePayer, m),
    (m) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: NO_ADDRESS as string as Blockhash, lastValidBlockHeight: 0n },
        m,
      ),
    (m) => appendTransactionMessageInstructions([limit], m),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}

interface Refusal {
  readonly method: Method;
  readonly reason: string;
}

/** Checks which methods each endpoint allows. A method fails only if all endpoints refuse it. */
export async function checkMethods(targets: readonly Target[], config: Config): Promise<Finding[]> {
  const methods = methodsFor(config);
  const refusals = await Promise.all(targets.map((target) => refusedBy(target, config, methods)));
  const refusedByAll = new Set(
    methods
      .map(({ name }) => name)
      .filter((name) => refusals.every((list) => list.some(({ method }) => method.name === name))),
  );
  return targets.map(({ name }, i) => methodsFinding(name, methods.length, refusals[i] ?? [], refusedByAll));
}

/** Sequential, because a burst could exceed a rate limit, which would look like a refusal. */
async function refusedBy(target: Target, config: Config, methods: readonly Method[]): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const method of methods) {
    const answer = await ask(target, config, method.call);
    if (!answer.answered) refusals.push({ method, reason: answer.reason });
  }
  return refusals;
}

function methodsFinding(
  name: string,
  asked: number,
  refusals: readonly Refusal[],
  refusedByAll: ReadonlySet<string>,
): Finding {
  const figures = { asked, refused: refusals.length };
  if (refusals.length === 0)
    return ok(name, 'methods', `It allows all ${asked} methods that the gateway uses.`, figures);
  const list = refusals.map(({ method, reason }) => `${method.name} (${reason})`).join(', ');
  const missing = refusals.map(({ method }) => method).filter((method) => refusedByAll.has(method.name));
  if (missing.length === 0) {
    return warning(
      name,
      'methods',
      `It refuses ${list}. The gateway sends these calls to the other endpoints.`,
      figures,
    );
  }
  const consequences = [...new Set(missing.map(({ without }) => without))].join('; ');
  const says = `It refuses ${list}, and no endpoint allows it: ${consequences}. Allow it at the provider, or add an endpoint that does.`;
  const level = missing.some(({ essential }) => essential) ? fault : warning;
  return level(name, 'methods', says, figures);
}
