import { usePages, useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import {
  type OwnedTicket,
  QUEUE_TICKETS,
  type QueueBlock,
  RESERVE_QUEUE,
  type ReserveQueue,
} from '../../lending/queue-documents.ts';
import { BLOCK_WORDS } from '../../lending/queue-words.ts';
import { ticketColumns } from '../../lending/ticket-columns.tsx';
import { NO_PRICE } from '../../lending/words.ts';
import { Address } from '../../ui/address.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { pagesResult } from '../../ui/pages-result.ts';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { Count, Tokens, Usd } from '../../ui/value.tsx';

/** The withdraw queue of a reserve, and its tickets where there are any. */
export function ReserveQueuePanels({ address }: { readonly address: string }): ReactNode {
  const variables = { address };
  const result = useSluiceQuery(RESERVE_QUEUE, variables, { refetchMs: 30_000 });
  const queue = result.data?.data.reserve?.withdrawQueue;
  return (
    <>
      <Panel title="Withdraw queue" document={RESERVE_QUEUE} variables={variables} result={result}>
        {({ reserve }) =>
          reserve === null ? <Empty>There is nothing to show.</Empty> : <Queue reserve={reserve} />
        }
      </Panel>
      {queue !== undefined && queue.tickets !== '0' && <Tickets address={address} />}
    </>
  );
}

function Queue({ reserve: { withdrawQueue: queue, token } }: { readonly reserve: ReserveQueue }): ReactNode {
  if (queue.tickets === '0' && queue.issuanceBlock === 'DISABLED')
    return <Empty>Nobody waits, and the market issues no tickets.</Empty>;
  const amount = (name: string, hint: string, value: ReserveQueue['withdrawQueue']['amount']) => (
    <Figure name={name} hint={hint} detail={<Tokens value={value.amount} symbol={token.symbol} />}>
      <Usd value={value.usd} absent={NO_PRICE} />
    </Figure>
  );
  return (
    <Figures>
      <Figure name="Tickets" hint="Their turn is not over. Cancelled ones wait to be closed">
        <Count value={queue.tickets} />
      </Figure>
      {amount('Waits', 'Value of all tickets now', queue.amount)}
      {amount('Payable now', 'Anybody may send the payments', queue.payable)}
      {amount('Still missing', 'Must come in before all tickets can be paid', queue.missing)}
      {amount('Free beyond it', 'Anybody can withdraw or borrow it now', queue.free)}
      <Allowed name="New tickets" block={queue.issuanceBlock} />
      <Allowed name="Payments" block={queue.paymentBlock} />
      <Allowed name="Cancellations" block={queue.cancellationBlock} />
      <Figure name="Least ticket" hint="In value, also of a payment in part and of what it leaves">
        <Usd value={queue.minTicketUsd} absent="The market cannot be read" />
      </Figure>
    </Figures>
  );
}

function Allowed({ name, block }: { readonly name: string; readonly block: QueueBlock | null }): ReactNode {
  if (block === null) return <Figure name={name}>Allowed</Figure>;
  return (
    <Figure name={name} detail={BLOCK_WORDS[block]}>
      Stopped
    </Figure>
  );
}

function Tickets({ address }: { readonly address: string }): ReactNode {
  const variables = { address };
  const pages = usePages(QUEUE_TICKETS, variables, {
    connection: ({ reserve }) => reserve?.withdrawTickets ?? null,
    refetchMs: 60_000,
  });
  return (
    <Panel title="Tickets" document={QUEUE_TICKETS} variables={variables} result={pagesResult(pages)}>
      {({ reserve }) => (
        <>
          <DataTable
            label="Tickets"
            rows={pages.nodes.map((node) => ({ node, symbol: reserve?.token.symbol ?? '' }))}
            columns={COLUMNS}
            rowKey={({ node }) => node.address}
            empty="Nobody waits."
          />
          <MoreButton pages={pages} what="tickets" />
        </>
      )}
    </Panel>
  );
}

interface TicketRow {
  readonly node: OwnedTicket;
  readonly symbol: string;
}

const COLUMNS: readonly Column<TicketRow>[] = [
  { key: 'number', name: 'Number', cell: ({ node }) => <Count value={node.sequenceNumber} /> },
  ...ticketColumns<TicketRow>(),
  {
    key: 'owner',
    name: 'Owner',
    cell: ({ node: { owner } }) => (
      <Address address={owner.address} href={`/wallet/${owner.address}`} what="owner" />
    ),
  },
];
