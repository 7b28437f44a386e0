import { GeyserClient } from '@sluice/geyser/client';
import { GeyserError, GrpcStatus } from '@sluice/geyser/errors';
import { SlotStatus } from '@sluice/geyser/messages';
import { geyserAddress } from '../../chain/sources/geyser/endpoints.ts';
import { StreamLinks } from '../../chain/sources/geyser/stream-links.ts';
import { streamedKinds } from '../../chain/sources/geyser/streamed-kinds.ts';
import { levelOf, subscriptionTo } from '../../chain/sources/geyser/subscription.ts';
import type { View } from '../../chain/view/view.ts';
import type { Config } from '../../config/config.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { ask, type Target } from './probe.ts';
import { counted } from './report.ts';

/** Half a minute: a stream that is interrupted for longer is loaded anew. */
const WANTED_REPLAY_SLOTS = 75;
/** More slots behind an RPC endpoint than a confirmed slot takes. */
const MAX_LAG_SLOTS = 8n;

/** Checks a Geyser endpoint: that it answers, accepts our subscription, replays, and keeps up with the RPC. */
export async function checkStream(
  target: Target,
  config: Config,
  rpc: Target | undefined,
  view: View | undefined,
): Promise<Finding[]> {
  const { name } = target;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), config.RPC_TIMEOUT_MS);
  const client = new GeyserClient(geyserAddress(target.url, config.GEYSER_TOKEN_HEADER), {
    timeoutMs: config.RPC_TIMEOUT_MS,
    connectTimeoutMs: config.RPC_TIMEOUT_MS,
  });
  try {
    const version = versionOf(await client.getVersion(stop.signal));
    const findings = [ok(name, 'answers', `It answers, with version ${version}.`)];
    findings.push(await checkSlots(name, client, config, rpc, stop.signal));
    findings.push(await checkReplay(name, client, config, stop.signal));
    if (view !== undefined) findings.push(await checkSubscription(name, client, config, view, stop.signal));
    return findings;
  } catch (error) {
    const says = `It cannot be used (${reasonOf(error, stop.signal)}); accounts are polled instead. Check its URL and token in GEYSER_URLS and GEYSER_TOKEN_HEADER, or remove it.`;
    return [fault(name, 'answers', says)];
  } finally {
    clearTimeout(timer);
    stop.abort();
    await client.close();
  }
}

async function checkSlots(
  name: string,
  client: GeyserClient,
  config: Config,
  rpc: Target | undefined,
  signal: AbortSignal,
): Promise<Finding> {
  const commitment = levelOf(config.SOLANA_COMMITMENT);
  const [slot, other] = await Promise.all([
    client.getSlot(commitment, signal),
    rpc === undefined
      ? null
      : ask(rpc, config, (each) =>
          each
            .getSlot({ commitment: config.SOLANA_COMMITMENT === 'finalized' ? 'finalized' : 'confirmed' })
            .send(),
        ),
  ]);
  if (other === null || !other.answered) return ok(name, 'slot', `It is at slot ${slot}.`);
  const lag = other.value - slot;
  const figures = { slot: Number(slot), lag: Number(lag) };
  return lag > MAX_LAG_SLOTS
    ? warning(
        name,
        'slot',
        `It is ${counted(Number(lag), 'slot')} behind ${rpc?.name}. Contact its provider.`,
        figures,
      )
    : ok(name, 'slot', `It is at slot ${slot}, that of ${rpc?.name} or close to it.`, figures);
}

async function checkReplay(
  name: string,
  client: GeyserClient,
  config: Config,
  signal: AbortSignal,
): Promise<Finding> {
  const [{ firstAvailable }, slot] = await Promise.all([
    client.subscribeReplayInfo(signal),
    client.getSlot(levelOf(config.SOLANA_COMMITMENT), signal),
  ]);
  if (firstAvailable === null) {
    const says =
      'It replays nothing: after each lost connection everything is loaded again. Ask its provider for replay.';
    return warning(name, 'replay', says);
  }
  const slots = Number(slot - firstAvailable);
  const says = `It replays ${counted(slots, 'slot')}.`;
  return slots < WANTED_REPLAY_SLOTS
    ? warning(name, 'replay', `${says} After longer interruptions everything is loaded again.`, { slots })
    : ok(name, 'replay', says, { slots });
}

/** The subscription of the gateway, until it has brought a slot. */
async function checkSubscription(
  name: string,
  client: GeyserClient,
  { programs, SOLANA_COMMITMENT }: Config,
  view: View,
  signal: AbortSignal,
): Promise<Finding> {
  const links = new StreamLinks(view);
  const request = subscriptionTo(streamedKinds(programs), links, SOLANA_COMMITMENT, null);
  const filters = request.accounts?.size ?? 0;
  const asked = `${counted(filters, 'account filter')} and ${counted(links.kinds.size, 'address')}`;
  try {
    for await (const { slot } of client.subscribe(request, signal))
      if (slot !== null && slot.status >= SlotStatus.CONFIRMED)
        return ok(name, 'subscription', `It accepts ${asked}, and streams slots.`, { filters });
  } catch (error) {
    const says = `It refuses ${asked} (${reasonOf(error, signal)}); accounts are polled instead. Ask its provider for higher limits.`;
    return fault(name, 'subscription', says, { filters });
  }
  return fault(name, 'subscription', 'It ends the subscription. Contact its provider.', { filters });
}

/** The version is a JSON text whose form differs between releases. */
function versionOf(text: string): string {
  return /"version"\s*:\s*"([\w.+-]{1,40})"/.exec(text)?.[1] ?? 'unknown';
}

/** The client takes URL and token out of its errors. */
function reasonOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof GeyserError && error.status !== GrpcStatus.CANCELLED) return error.message;
  return signal.aborted ? 'no answer in time' : 'an unexpected answer';
}
