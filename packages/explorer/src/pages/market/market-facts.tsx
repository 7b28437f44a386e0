import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { MARKET_HEAT } from '../../lending/heat/heat-documents.ts';
import type { Heat } from '../../lending/heat/heat-section.tsx';
import { lentOut, partOfDebt } from '../../lending/lent-out.ts';
import { absence } from '../../ui/absence.ts';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Headline } from '../../ui/headline.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Absent, Count, Part, Percent, Usd, UsdShort } from '../../ui/value.tsx';
import type { Market } from './market-documents.ts';

/** The number of the page. */
export function MarketHeadline({
  market: { totals },
  whyUnknown,
}: {
  readonly market: Market;
  readonly whyUnknown: string;
}): ReactNode {
  const part = lentOut(totals);
  return (
    <Headline
      label="Supplied"
      under={
        part === null ? (
          'Nothing is supplied, or a price is unknown.'
        ) : (
          <>
            <Usd value={totals?.borrowedUsd} absent={whyUnknown} /> of it is lent out,{' '}
            <Part value={part} derived />
          </>
        )
      }
    >
      <Usd value={totals?.suppliedUsd} absent={whyUnknown} />
    </Headline>
  );
}

export interface MarketFactsProps {
  readonly heat: Heat;
  readonly closeFactor: string;
}

/** Loans, what can be liquidated, bad debt, and how much one liquidation repays. */
export function MarketFacts({ heat: { variables, result }, closeFactor }: MarketFactsProps): ReactNode {
  const why = absence(
    result.data?.errors ?? [],
    ['market', 'risk'],
    'The loans of this market cannot be read',
  );
  return (
    <Panel title="Loans and risk" secondary document={MARKET_HEAT} variables={variables} result={result}>
      {({ market }) => {
        const risk = market?.risk ?? null;
        return (
          <Figures>
            <Figure
              name="Loans"
              {...(risk === null
                ? {}
                : {
                    detail: (
                      <>
                        of <Count value={String(risk.borrowers)} /> wallets
                      </>
                    ),
                  })}
            >
              <Count value={risk === null ? null : String(risk.index.loans)} absent={why} />
            </Figure>
            <Figure
              name="Can be liquidated"
              {...(risk === null || risk.now.atRisk.loans === 0
                ? {}
                : {
                    detail: (
                      <>
                        <Count value={String(risk.now.atRisk.loans)} /> loans,{' '}
                        <Percent derived value={partOfDebt(risk.now.atRisk.debtUsd, risk.now.debtUsd)} /> of
                        debt
                      </>
                    ),
                  })}
            >
              <Risked usd={risk?.now.atRisk.debtUsd} why={why} />
            </Figure>
            <Figure name="Bad debt" hint="Debt that exceeds the collateral of its loan">
              <Risked usd={risk?.now.atRisk.badDebtUsd} why={why} />
            </Figure>
            <Figure name="Repaid in one liquidation" detail="of a loan at most">
              <Part whole derived value={closeFactor} />
            </Figure>
          </Figures>
        );
      }}
    </Panel>
  );
}

function Risked({ usd, why }: { readonly usd: string | undefined; readonly why: string }): ReactNode {
  if (usd === undefined) return <Absent why={why} />;
  return Decimal.of(usd).isZero ? 'None' : <UsdShort value={usd} />;
}
