import type { Address, Rpc, Signature, SolanaRpcApi } from '@solana/kit';
import type { Config } from '../../config/config.ts';
import { type Finding, ok, warning } from './finding.ts';
import { ask, type Target } from './probe.ts';
import { counted } from './report.ts';

const PAGE = 1_000;
/** Ten thousand transactions are enough to tell how far back an endpoint's history goes. */
const MOST_PAGES = 10;
const SECONDS_PER_DAY = 86_400;

interface Oldest {
  readonly signature: Signature;
  readonly slot: bigint;
  /** Unix seconds; null when the node does not report it. */
  readonly blockTime: bigint | null;
  readonly listed: number;
  /** Whether the list was read to its end. */
  readonly complete: boolean;
  /** Whether the node still has the transaction itself. */
  readonly available: boolean;
}

/** Checks how far back an endpoint's transactions go: recorded history cannot begin earlier. */
export async function checkHistory(
  target: Target,
  config: Config,
  vault: Address | undefined,
): Promise<Finding[]> {
  const findings = [await blocks(target, config)];
  if (vault !== undefined) findings.push(await transactions(target, config, vault));
  return findings;
}

async function blocks(target: Target, config: Config): Promise<Finding> {
  const { name } = target;
  const answer = await ask(target, config, async (rpc) => {
    const [first, slot] = await Promise.all([firstBlock(rpc), rpc.getSlot().send()]);
    return { first, days: first === 0n ? null : await daysBetween(rpc, first, slot) };
  });
  if (!answer.answered) {
    return warning(name, 'blocks', `It does not report how far back its blocks go (${answer.reason}).`);
  }
  const { first, days } = answer.value;
  const figures = {
    firstSlot: Number(first),
    ...(days === null ? {} : { days: Math.round(days * 10) / 10 }),
  };
  if (first === 0n) return ok(name, 'blocks', 'It has blocks since the first slot.', figures);
  const length = days === null ? '' : `, about ${days.toFixed(days < 10 ? 1 : 0)} days`;
  return ok(name, 'blocks', `It has blocks since slot ${first}${length}.`, figures);
}

/** By the times of both blocks, because the length of slots varies. Null when the node does not report them. */
async function daysBetween(rpc: Rpc<SolanaRpcApi>, from: bigint, to: bigint): Promise<number | null> {
  const [start, end] = await Promise.all([blockTime(rpc, from), blockTime(rpc, to)]);
  return start === null || end === null ? null : Number(end - start) / SECONDS_PER_DAY;
}

/** Unix seconds. Null for a slot without a block, and on nodes that no longer have its time. */
async function blockTime(rpc: Rpc<SolanaRpcApi>, slot: bigint): Promise<bigint | null> {
  return await rpc
    .getBlockTime(slot)
    .send()
    .catch(() => null);
}

/** Nodes without long-term storage support only the second method. */
async function firstBlock(rpc: Rpc<SolanaRpcApi>): Promise<bigint> {
  return await rpc
    .getFirstAvailableBlock()
    .send()
    .catch(() => rpc.minimumLedgerSlot().send());
}

async function transactions(target: Target, config: Config, vault: Address): Promise<Finding> {
  const { name } = target;
  const answer = await ask(target, config, (rpc) => oldestOf(rpc, vault));
  if (!answer.answered) {
    const says = `The transactions of a vault cannot be listed (${answer.reason}), so no history is recorded through it.`;
    return warning(name, 'history', says);
  }
  const oldest = answer.value;
  if (oldest === null) return warning(name, 'history', `It lists no transaction of the vault ${vault}.`);
  const since = oldest.blockTime === null ? `slot ${oldest.slot}` : day(oldest.blockTime);
  const how = `${counted(oldest.listed, 'transaction')} of the vault ${vault}, back to ${since}`;
  const figures = { listed: oldest.listed, oldestSlot: Number(oldest.slot) };
  if (!oldest.available) {
    const says = `It lists ${how}, but no longer has the oldest one. Add an endpoint with long-term storage if history should begin there.`;
    return warning(name, 'history', says, figures);
  }
  const end = oldest.complete ? '' : ', and more';
  return ok(name, 'history', `It lists ${how}${end}, and has the oldest of them.`, figures);
}

const day = (unixSeconds: bigint) => new Date(Number(unixSeconds) * 1000).toISOString().slice(0, 10);

async function oldestOf(rpc: Rpc<SolanaRpcApi>, vault: Address): Promise<Oldest | null> {
  let listed = 0;
  let complete = false;
  let last: { signature: Signature; slot: bigint; blockTime: bigint | null } | null = null;
  for (let page = 0; page < MOST_PAGES && !complete; page += 1) {
    const before: { before?: Signature } = last === null ? {} : { before: last.signature };
    const found = await rpc.getSignaturesForAddress(vault, { limit: PAGE, ...before }).send();
    last = found.at(-1) ?? last;
    listed += found.length;
    complete = found.length < PAGE;
  }
  if (last === null) return null;
  const { signature, slot, blockTime } = last;
  const transaction = await rpc
    .getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 })
    .send();
  return { signature, slot, blockTime, listed, complete, available: transaction !== null };
}
