import { isSolanaError, SOLANA_ERROR__RPC_SUBSCRIPTIONS__CHANNEL_FAILED_TO_CONNECT } from '@solana/kit';
import { memcmp } from '../../chain/accounts/memcmp.ts';
import { connectSubscriptions } from '../../chain/sources/subscriptions.ts';
import { discoverable } from '../../chain/view/kinds.ts';
import type { Config } from '../../config/config.ts';
import { type Finding, fault, ok } from './finding.ts';
import type { Target } from './probe.ts';
import { counted } from './report.ts';

/** Checks that a WebSocket endpoint accepts the gateway's subscription to vault changes. */
export async function checkSocket(target: Target, config: Config, listenMs: number): Promise<Finding> {
  const { name } = target;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), config.RPC_TIMEOUT_MS);
  try {
    const notifications = await subscribe(target.url, config, stop.signal);
    clearTimeout(timer);
    const heard = await countFor(notifications, listenMs, stop);
    const seconds = listenMs / 1000;
    const says =
      heard === 0
        ? `It accepts subscriptions. No vault changed within ${seconds} s, which is not unusual.`
        : `It accepts subscriptions and reported ${counted(heard, 'changed vault')} within ${seconds} s.`;
    return ok(name, 'notifications', says, { heard, listenMs });
  } catch (error) {
    const reason = isSolanaError(error, SOLANA_ERROR__RPC_SUBSCRIPTIONS__CHANNEL_FAILED_TO_CONNECT)
      ? 'The connection failed'
      : stop.signal.aborted
        ? `It did not accept the subscription within ${config.RPC_TIMEOUT_MS} ms`
        : 'It refuses programSubscribe';
    const says = `${reason}; the gateway polls instead. Check the URL and its key in SOLANA_WS_URLS, or remove it.`;
    return fault(name, 'notifications', says);
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

async function subscribe(url: string, { programs, SOLANA_COMMITMENT }: Config, abortSignal: AbortSignal) {
  const vaults = discoverable(programs).find(({ kind }) => kind === 'vault');
  return await connectSubscriptions(url)
    .programNotifications(programs.kvault, {
      encoding: 'base64',
      commitment: SOLANA_COMMITMENT,
      filters: [memcmp(0, vaults?.discriminator ?? new Uint8Array())],
    })
    .subscribe({ abortSignal });
}

async function countFor(
  notifications: AsyncIterable<unknown>,
  listenMs: number,
  stop: AbortController,
): Promise<number> {
  let heard = 0;
  const timer = setTimeout(() => stop.abort(), listenMs);
  try {
    for await (const _ of notifications) heard += 1;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return heard;
}
