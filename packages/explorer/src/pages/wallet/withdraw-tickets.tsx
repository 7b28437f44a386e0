import { usePages } from '@sluice/client/react';
import type { ReactNode } from 'react';
import type { ActPanelProps } from '../../act/act-panel.tsx';
import { VERB_NAMES, verbsOf } from '../../act/action.ts';
import { shortAddress } from '../../format/address.ts';
import { WALLET_TICKETS, type WalletTicket } from '../../lending/queue-documents.ts';
import { ReserveLink } from '../../lending/reserve-link.tsx';
import { ticketColumns } from '../../lending/ticket-columns.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { pagesResult } from '../../ui/pages-result.ts';
import { Panel } from '../../ui/panel.tsx';

interface WithdrawTicketsProps {
  readonly address: string;
  /** Opens a form; null for a wallet that is not the user's. */
  readonly act: Act | null;
}

type Act = (target: ActPanelProps) => void;

/** Withdrawals of the wallet that wait in the queues of reserves. */
export function WithdrawTicketsPanel({ address, act }: WithdrawTicketsProps): ReactNode {
  const variables = { address };
  const pages = usePages(WALLET_TICKETS, variables, {
    connection: ({ wallet }) => wallet.withdrawTickets,
    refetchMs: 60_000,
  });
  return (
    <Panel
      title="Queued withdrawals"
      document={WALLET_TICKETS}
      variables={variables}
      result={pagesResult(pages)}
    >
      {() => (
        <>
          <DataTable
            label="Queued withdrawals"
            rows={pages.nodes.map((node) => ({ node, symbol: node.reserve?.token.symbol ?? '' }))}
            columns={act === null ? COLUMNS : [...COLUMNS, actColumn(act)]}
            rowKey={({ node }) => node.address}
            empty="Nothing waits any more."
          />
          <MoreButton pages={pages} what="tickets" />
        </>
      )}
    </Panel>
  );
}

interface TicketRow {
  readonly node: WalletTicket;
  readonly symbol: string;
}

const COLUMNS: readonly Column<TicketRow>[] = [
  {
    key: 'reserve',
    name: 'Reserve',
    cell: ({ node: { reserve, reserveAddress } }) =>
      reserve === null ? shortAddress(reserveAddress) : <ReserveLink reserve={reserve} />,
  },
  ...ticketColumns<TicketRow>(),
];

const actColumn = (act: Act): Column<TicketRow> => ({
  key: 'act',
  name: 'Act',
  cell: ({ node: { reserve, state, address, ticketsAhead }, symbol }) => {
    if (reserve === null) return null;
    const { marketAddress: market, address: at } = reserve;
    const target = { kind: 'ticket', market, reserve: at, ticket: address, state } as const;
    return verbsOf(target)
      .filter((verb) => verb !== 'collect' || ticketsAhead === '0')
      .map((verb) => (
        <button
          key={verb}
          type="button"
          aria-label={`${VERB_NAMES[verb]} the ticket in ${symbol}`}
          onClick={() => act({ ...target, verb })}
        >
          {VERB_NAMES[verb]}
        </button>
      ));
  },
});
