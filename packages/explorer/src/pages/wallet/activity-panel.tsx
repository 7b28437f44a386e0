import { usePages } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { shortAddress } from '../../format/address.ts';
import { MoreButton } from '../../ui/more-button.tsx';
import { pagesResult } from '../../ui/pages-result.ts';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useUrlChoice } from '../../ui/url-state.ts';
import { Tokens, Usd } from '../../ui/value.tsx';
import { type ActivityEntry, WALLET_ACTIVITY } from './activity-documents.ts';
import { activitySentence } from './activity-words.ts';
import { loanLabel } from './loan-label.ts';
import type { Loan } from './wallet-documents.ts';

export interface ActivityPanelProps {
  readonly address: string;
  readonly loans: readonly Loan[];
}

const FEW = 6;

/** What the wallet did, as sentences, newest first. */
export function ActivityPanel({ address, loans }: ActivityPanelProps): ReactNode {
  const variables = { address };
  const pages = usePages(WALLET_ACTIVITY, variables, {
    connection: ({ wallet }) => wallet.activity,
    refetchMs: 60_000,
  });
  const [shown, show] = useUrlChoice('activity', ['few', 'all'], 'few');
  const entries = shown === 'all' ? pages.nodes : pages.nodes.slice(0, FEW);
  const loanOf = (obligation: string): string | null => {
    const loan = loans.find((each) => each.address === obligation);
    return loan === undefined ? null : loanLabel(loan, loans);
  };
  return (
    <Panel
      title="Activity"
      document={WALLET_ACTIVITY}
      variables={variables}
      result={pagesResult(pages)}
      controls={
        <a href={`portfolio/${address}/activity.csv`} download aria-label="Activity as CSV">
          CSV
        </a>
      }
    >
      {({ wallet }) => {
        // The panel says why it could not be read.
        if (wallet.activity === null) return null;
        const { complete } = wallet.activity;
        return (
          <>
            {entries.length === 0 ? (
              <Empty>
                {complete
                  ? 'This wallet has done nothing yet.'
                  : 'Transactions are being read from the chain.'}
              </Empty>
            ) : (
              <ul className="feed">
                {keyed(entries).map(({ key, entry }) => (
                  <Entry key={key} entry={entry} loanOf={loanOf} />
                ))}
              </ul>
            )}
            {shown === 'few' && pages.nodes.length > FEW && (
              <button type="button" className="quiet" onClick={() => show('all')}>
                Show more activity
              </button>
            )}
            {shown === 'all' && <MoreButton pages={pages} what="activity" />}
            {!complete && entries.length > 0 && (
              <p className="sub">Older activity is still being read, or no node holds it any more.</p>
            )}
          </>
        );
      }}
    </Panel>
  );
}

/** A transaction may have several entries of one kind. */
function keyed(
  entries: readonly ActivityEntry[],
): readonly { readonly key: string; readonly entry: ActivityEntry }[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const name = `${entry.signature} ${entry.kind}`;
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return { key: `${name} ${before}`, entry };
  });
}

interface EntryProps {
  readonly entry: ActivityEntry;
  readonly loanOf: (address: string) => string | null;
}

function Entry({ entry, loanOf }: EntryProps): ReactNode {
  const { before, amount, after, vault } = activitySentence(entry, loanOf);
  return (
    <li>
      <span className="when">
        {entry.createdAt === null ? 'Time unknown' : <Time value={entry.createdAt} />}
      </span>
      <span>
        {before}{' '}
        {amount !== null && (
          <strong>
            <Tokens value={amount.amount} symbol={amount.token.symbol} />
          </strong>
        )}{' '}
        {after}{' '}
        {entry.__typename === 'VaultActivity' &&
          (vault === null ? (
            'a vault that cannot be read'
          ) : (
            <Link href={`/vaults/${vault.address}`}>{vault.name || shortAddress(vault.address)}</Link>
          ))}
      </span>
      <span className="muted">{amount !== null && amount.usd !== null && <Usd value={amount.usd} />}</span>
    </li>
  );
}
