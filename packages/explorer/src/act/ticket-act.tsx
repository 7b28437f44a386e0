import { useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { Panel } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';
import { TICKET_LIMITS } from './act-documents.ts';
import { ActForm } from './act-form.tsx';
import { type ActTarget, type Verb, verbsOf } from './action.ts';
import { ticketMaximum } from './maximum.ts';
import { LIMITS_MS } from './vault-act.tsx';
import type { ActWallet } from './wallet-context.tsx';

export interface TicketActProps {
  readonly target: Extract<ActTarget, { kind: 'ticket' }>;
  readonly wallet: ActWallet;
  readonly verb: Verb;
  readonly controls: ReactNode;
}

/** Cancels, collects or recovers a withdraw ticket. */
export function TicketAct({ target, wallet, verb, controls }: TicketActProps): ReactNode {
  const variables = { wallet: wallet.address, reserve: target.reserve };
  const result = useSluiceQuery(TICKET_LIMITS, variables, { refetchMs: LIMITS_MS });
  const verbs = verbsOf(target);
  return (
    <Panel
      title="Withdraw ticket"
      document={TICKET_LIMITS}
      variables={variables}
      result={result}
      controls={controls}
    >
      {(limits) => {
        const { reserve } = limits;
        if (reserve === null) return <Empty>The reserve cannot be read.</Empty>;
        return (
          <ActForm
            target={target}
            wallet={wallet}
            verb={verbs.includes(verb) ? verb : (verbs[0] ?? 'collect')}
            amount=""
            loan={null}
            symbol={reserve.token.symbol}
            unitOf={() => reserve.token}
            maximumOf={() => ticketMaximum(limits, target.ticket)}
          />
        );
      }}
    </Panel>
  );
}
