import type { ReactNode } from 'react';
import type { Column } from '../ui/data-table.tsx';
import { Badge, type Tone } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { Absent, Tokens } from '../ui/value.tsx';
import type { QueueTicket, TicketEstimate, TicketState } from './queue-documents.ts';
import { ESTIMATE_WORDS, TICKET_WORDS } from './queue-words.ts';
import { TokenAmount } from './token-amount.tsx';
import '../styles/lending.css';

const TONES: Readonly<Record<TicketState, Tone>> = {
  QUEUED: 'info',
  CANCELLED: 'caution',
  INVALID: 'danger',
};
const TURN_OVER = 'Its turn is over';
const UNREAD = 'Its turn is over, or a ticket before it cannot be read';

interface Row {
  readonly node: QueueTicket;
  /** Of the token of its reserve. */
  readonly symbol: string;
}

/** Columns of a ticket in any list, the state first. */
export function ticketColumns<Item extends Row>(): readonly Column<Item>[] {
  return [
    {
      key: 'state',
      name: 'State',
      cell: ({ node: { state } }) => <Badge tone={TONES[state]}>{TICKET_WORDS[state]}</Badge>,
    },
    {
      key: 'amount',
      name: 'Amount',
      hint: 'Value of its collateral tokens now',
      align: 'end',
      cell: ({ node: { amount }, symbol }) => (
        <Amount amount={amount} symbol={symbol} absent="The reserve cannot be read" />
      ),
    },
    {
      key: 'ahead',
      name: 'Ahead of it',
      hint: 'What the tickets before it hold, and how many they are',
      align: 'end',
      cell: ({ node: { amountAhead, ticketsAhead }, symbol }) =>
        ticketsAhead === null ? (
          <Absent why={TURN_OVER} />
        ) : (
          <span className="two-lines">
            {amountAhead === null ? (
              <Absent why={UNREAD} />
            ) : (
              <Tokens value={amountAhead.amount} symbol={symbol} />
            )}
            <small>
              <Tokens value={ticketsAhead} symbol={ticketsAhead === '1' ? 'ticket' : 'tickets'} />
            </small>
          </span>
        ),
    },
    {
      key: 'payable',
      name: 'Payable now',
      hint: 'What the available liquidity pays of it, after the tickets before it',
      align: 'end',
      cell: ({ node: { payable }, symbol }) => <Amount amount={payable} symbol={symbol} absent={UNREAD} />,
    },
    {
      key: 'estimate',
      name: 'Estimate',
      hint: 'When it is paid in full if liquidity keeps coming in as since nothing is free, at most over the last 7 days',
      cell: ({ node: { estimate }, symbol }) =>
        estimate === null ? (
          <Absent why="It could not be read" />
        ) : (
          <Estimate estimate={estimate} symbol={symbol} />
        ),
    },
    { key: 'since', name: 'Since', cell: ({ node: { createdAt } }) => <Time value={createdAt} /> },
  ];
}

interface AmountProps {
  readonly amount: QueueTicket['amount'];
  readonly symbol: string;
  readonly absent: string;
}

const Amount = ({ amount, symbol, absent }: AmountProps): ReactNode =>
  amount === null ? <Absent why={absent} /> : <TokenAmount amount={amount} symbol={symbol} />;

interface EstimateProps {
  readonly estimate: TicketEstimate;
  readonly symbol: string;
}

function Estimate({ estimate: { state, paidAt, missing, inflow }, symbol }: EstimateProps): ReactNode {
  if (state !== 'ESTIMATED' || paidAt === null) {
    const { name, why } = ESTIMATE_WORDS[state === 'ESTIMATED' ? 'PLACE_UNKNOWN' : state];
    return (
      <span className="two-lines" title={why}>
        <span>{name}</span>
        {missing !== null && missing.amount !== '0' && (
          <small>
            <Tokens value={missing.amount} symbol={symbol} /> missing
          </small>
        )}
      </span>
    );
  }
  return (
    <span className="two-lines">
      <span>
        by <Time value={paidAt} />
      </span>
      {inflow !== null && (
        <small>
          at <Tokens value={inflow.perDay.amount} symbol={symbol} /> a day
        </small>
      )}
    </span>
  );
}
