import { withdrawTicket as ticketAddress } from '@sluice/protocol/klend/addresses';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { named } from '../../packages/protocol/test/support/transaction-maker.ts';
import { type LiveApp, testApp } from '../support/apps/chain-app.ts';
import { EventStream } from '../support/http/event-stream.ts';

let live: LiveApp;
beforeAll(async () => {
  live = await testApp({ live: true });
});
afterAll(() => live?.stop());

interface Event {
  readonly reason: string;
  readonly wallet: {
    readonly withdrawTickets: { readonly nodes: readonly { readonly collateral: string }[] };
  };
}

describe('a wallet that is followed', () => {
  const wallet = named('wallet with a ticket');
  const placeTicket = (queuedCollateralAmount: bigint) => {
    const { reserve } = live.localChain.addresses;
    const { address } = ticketAddress(MAINNET_PROGRAMS.klend, reserve, 4n);
    const fields = { sequenceNumber: 4n, owner: wallet, reserve, queuedCollateralAmount };
    const data = withdrawTicket.encode(fields);
    live.localChain.place(address, { ...accountIn(live.localChain, reserve), data });
  };

  it('reports that a ticket was paid in part', async () => {
    placeTicket(7_000_000n);
    await live.advance();
    const stream = await EventStream.open<{ wallet: Event }>(
      live.site.origin,
      'subscription ($w: Address!) { wallet(address: $w) { reason wallet { withdrawTickets { nodes { collateral } } } } }',
      { variables: { w: wallet } },
    );
    const shown = async () => (await stream.nextData()).data?.wallet;
    const holding = (collateral: string) => ({ wallet: { withdrawTickets: { nodes: [{ collateral }] } } });
    expect(await shown()).toEqual({ reason: 'INITIAL', ...holding('7') });
    placeTicket(3_000_000n);
    await live.advance();
    const event = await stream.until(({ data }) => data?.wallet.reason === 'ACCOUNT');
    expect(event.data?.wallet).toEqual({ reason: 'ACCOUNT', ...holding('3') });
    stream.close();
  });
});
