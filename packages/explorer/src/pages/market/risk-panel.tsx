import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useState } from 'react';
import { ageBetween } from '../../lending/age.ts';
import { useClock } from '../../shell/clock.ts';
import { absence } from '../../ui/absence.ts';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Count } from '../../ui/value.tsx';
import type { Market } from './market-documents.ts';
import { MARKET_RISK, type MarketRisk, type Scenario } from './risk-documents.ts';
import { ALL_TOKENS, type ShockToken, shocksOf, shockTokens } from './risk-shocks.ts';
import { BorrowerTable, CollateralTable, EndTable, HealthTable, ShockTable } from './risk-tables.tsx';

/** All loans of the market under falling prices. */
export function RiskPanel({ market }: { readonly market: Market }): ReactNode {
  const [choice, choose] = useState(ALL_TOKENS);
  const tokens = shockTokens(market);
  const variables = { address: market.address, shocks: [...shocksOf(tokens, choice)] };
  const result = useSluiceQuery(MARKET_RISK, variables, { refetchMs: 60_000 });
  const errors = result.data?.errors ?? [];
  return (
    <Panel
      title="Risk"
      document={MARKET_RISK}
      variables={variables}
      result={result}
      controls={<TokenChoice tokens={tokens} value={choice} onChange={choose} />}
    >
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
      <Unvalued scenario={risk.now} />
      <Tabs
        label="Risk"
        tabs={[
          { key: 'shocks', name: 'Falling prices', content: () => <ShockTable risk={risk} /> },
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
    <p className="muted">
      <Count value={String(index.loans)} /> loans of <Count value={String(borrowers)} /> wallets, brought up
      to date{' '}
      <time dateTime={index.indexedAt} title={index.indexedAt}>
        {ageBetween(index.indexedAt, new Date(now).toISOString())} ago
      </time>
      , at slot <Count value={index.slot} />.
      {index.unreadable > 0 && (
        <>
          {' '}
          <Count value={String(index.unreadable)} /> more cannot be decoded and are left out.
        </>
      )}
    </p>
  );
}

const REASONS: Readonly<Record<Scenario['unvalued'][number]['reason'], string>> = {
  PRICE_UNKNOWN: 'a token has no price',
  RESERVE_UNREADABLE: 'a reserve cannot be read',
};

function Unvalued({ scenario: { unvalued } }: { readonly scenario: Scenario }): ReactNode {
  if (unvalued.length === 0) return null;
  return (
    <Notice tone="caution" title="Some loans are in none of these numbers.">
      <ul>
        {unvalued.map(({ reason, loans }) => (
          <li key={reason}>
            <Count value={String(loans)} /> loans: {REASONS[reason]}.
          </li>
        ))}
      </ul>
    </Notice>
  );
}

interface TokenChoiceProps {
  readonly tokens: readonly ShockToken[];
  readonly value: string;
  readonly onChange: (choice: string) => void;
}

function TokenChoice({ tokens, value, onChange }: TokenChoiceProps): ReactNode {
  return (
    <select aria-label="Prices that fall" value={value} onChange={({ target }) => onChange(target.value)}>
      <option value={ALL_TOKENS}>All collateral, except tokens near $1</option>
      {tokens.map(({ mint, symbol }) => (
        <option key={mint} value={mint}>
          {symbol} alone
        </option>
      ))}
    </select>
  );
}
