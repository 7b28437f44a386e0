import { useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { ageBetween } from '../../lending/age.ts';
import { useClock } from '../../shell/clock.ts';
import { absence } from '../../ui/absence.ts';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Count } from '../../ui/value.tsx';
import { MARKET_RISK, type MarketRisk } from './risk-documents.ts';
import { BorrowerTable, CollateralTable, EndTable, HealthTable } from './risk-tables.tsx';

/** All loans of the market at present prices. */
export function RiskPanel({ address }: { readonly address: string }): ReactNode {
  const variables = { address };
  const result = useSluiceQuery(MARKET_RISK, variables, { refetchMs: 60_000 });
  const errors = result.data?.errors ?? [];
  return (
    <Panel title="All loans" document={MARKET_RISK} variables={variables} result={result}>
      {({ market: read }) => {
        const risk = read?.risk ?? null;
        return risk === null ? (
          <Empty>{absence(errors, ['market', 'risk'], 'The loans of this market cannot be read.')}</Empty>
        ) : (
          <RiskContent risk={risk} />
        );
      }}
    </Panel>
  );
}

function RiskContent({ risk }: { readonly risk: MarketRisk }): ReactNode {
  return (
    <>
      <IndexAge index={risk.index} borrowers={risk.borrowers} />
      <Tabs
        label="All loans"
        tabs={[
          { key: 'health', name: 'Health', content: () => <HealthTable risk={risk} /> },
          ...(risk.debtEnds.some(({ debts }) => debts > 0)
            ? [{ key: 'ends', name: 'Ends of debts', content: () => <EndTable risk={risk} /> }]
            : []),
          { key: 'borrowers', name: 'Largest borrowers', content: () => <BorrowerTable risk={risk} /> },
          { key: 'collateral', name: 'Collateral', content: () => <CollateralTable risk={risk} /> },
        ]}
      />
    </>
  );
}

interface IndexAgeProps {
  readonly index: MarketRisk['index'];
  readonly borrowers: number;
}

function IndexAge({ index, borrowers }: IndexAgeProps): ReactNode {
  const now = useClock(5_000);
  return (
    <p className="sub">
      <Count value={String(index.loans)} /> loans of <Count value={String(borrowers)} /> wallets, brought up
      to date{' '}
      <time dateTime={index.indexedAt} title={`${index.indexedAt}, slot ${index.slot}`}>
        {ageBetween(index.indexedAt, new Date(now).toISOString())} ago
      </time>
      .
      {index.unreadable > 0 && (
        <>
          {' '}
          <Count value={String(index.unreadable)} /> more cannot be decoded and are left out.
        </>
      )}
    </p>
  );
}
