import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useState } from 'react';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { LEVERAGE_RESERVES } from '../act-documents.ts';
import { ActSection } from '../act-section.tsx';
import { type LeverageSide, openMultiplyTask } from './multiply-tasks.ts';
import { Tasks } from './tasks-section.tsx';

interface MultiplyActProps {
  /** Addresses. */
  readonly market: string;
  readonly reserve: string;
  /** Token of the reserve. */
  readonly symbol: string;
}

/** Opens a leveraged loan with the token of a reserve as collateral. */
export function MultiplyAct(props: MultiplyActProps): ReactNode {
  const [isOpen, open] = useState(false);
  const title = `Multiply ${props.symbol}`;
  const toggle = (
    <button type="button" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
      {isOpen ? 'Close' : 'Open'}
    </button>
  );
  if (isOpen) return <OpenMultiply {...props} title={title} controls={toggle} />;
  return (
    <ActSection title={title} controls={toggle}>
      <p>Hold more {props.symbol} than you own: borrow another token against it, and swap that into more.</p>
    </ActSection>
  );
}

interface OpenMultiplyProps extends MultiplyActProps {
  readonly title: string;
  readonly controls: ReactNode;
}

function OpenMultiply({ market, reserve, title, controls }: OpenMultiplyProps): ReactNode {
  const variables = { market };
  const result = useSluiceQuery(LEVERAGE_RESERVES, variables);
  return (
    <Panel
      title={title}
      document={LEVERAGE_RESERVES}
      variables={variables}
      result={result}
      controls={controls}
    >
      {({ market: read }) => {
        const reserves = read?.reserves ?? [];
        const collateral = reserves.find(({ address }) => address === reserve);
        if (collateral === undefined) return <Empty>The reserve cannot be read.</Empty>;
        const debts = reserves.filter(({ acceptedCollateral }) =>
          acceptedCollateral.some(({ address }) => address === reserve),
        );
        if (debts.length === 0)
          return <Empty>Nothing in this market can be borrowed against {collateral.token.symbol} now.</Empty>;
        return (
          <Tasks
            target={{
              kind: 'tasks',
              title,
              subject: reserve,
              tasks: [openMultiplyTask(market, sideOf(collateral), debts.map(sideOf))],
              symbols: Object.fromEntries(reserves.map(({ address, token }) => [address, token.symbol])),
            }}
          />
        );
      }}
    </Panel>
  );
}

interface LeverageReserve {
  readonly address: string;
  readonly token: { readonly symbol: string; readonly decimals: number };
  readonly price: { readonly usd: string } | null;
}

const sideOf = ({ address, token, price }: LeverageReserve): LeverageSide => ({
  reserve: address,
  symbol: token.symbol,
  decimals: token.decimals,
  priceUsd: price?.usd ?? null,
});
