import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useState } from 'react';
import { Panel } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';
import { SWAP_RESERVES } from './act-documents.ts';
import { ActionForm } from './action-form.tsx';
import { SelectField } from './select-field.tsx';
import {
  fromSides,
  SWAPS,
  type SwapKind,
  type SwapSide,
  type SwapTarget,
  swapOf,
  swapsOf,
  toSides,
} from './swap-action.ts';
import { SwapPreview } from './swap-preview.tsx';
import { TextField } from './text-field.tsx';
import type { ActWallet } from './wallet-context.tsx';

export interface SwapActProps {
  readonly target: SwapTarget;
  readonly wallet: ActWallet;
  readonly controls: ReactNode;
}

const TITLE = 'Swap a position';

/** Repays debt with collateral, or swaps a debt or a deposit of a loan. The gateway quotes the swap. */
export function SwapAct({ target, wallet, controls }: SwapActProps): ReactNode {
  const variables = { market: target.market };
  const result = useSluiceQuery(SWAP_RESERVES, variables);
  return (
    <Panel title={TITLE} document={SWAP_RESERVES} variables={variables} result={result} controls={controls}>
      {({ market }) => {
        if (market === null) return <Empty>The market cannot be read.</Empty>;
        const reserves = market.reserves.map(({ address, token }) => ({
          reserve: address,
          symbol: token.symbol,
        }));
        return <SwapForm target={target} wallet={wallet} reserves={reserves} />;
      }}
    </Panel>
  );
}

interface SwapFormProps extends Omit<SwapActProps, 'controls'> {
  readonly reserves: readonly SwapSide[];
}

function SwapForm({ target, wallet, reserves }: SwapFormProps): ReactNode {
  const kinds = swapsOf(target);
  const [chosenKind, chooseKind] = useState<SwapKind | null>(target.start?.kind ?? null);
  const [chosenFrom, chooseFrom] = useState(target.start?.from ?? '');
  const [chosenTo, chooseTo] = useState(target.start?.to ?? '');
  const [amount, setAmount] = useState(target.start?.amount ?? '');
  const kind = chosenKind ?? kinds[0];
  if (kind === undefined) return <Empty>The loan has no position to swap.</Empty>;
  const froms = fromSides(target, kind);
  const from = sideOf(froms, chosenFrom);
  const tos = toSides(target, kind, from?.reserve ?? '', reserves);
  const to = sideOf(tos, chosenTo);
  const typed = { kind, from: from?.reserve ?? '', to: to?.reserve ?? '', amount };
  const symbols = new Map(reserves.map(({ reserve, symbol }) => [reserve, symbol]));
  return (
    <ActionForm
      action={swapOf(target, wallet.address, typed)}
      wallet={wallet}
      name={SWAPS[kind]}
      previewed={(state) => (
        <SwapPreview state={state} collateral={to?.symbol ?? ''} symbolOf={(each) => symbols.get(each)} />
      )}
    >
      <SelectField
        label="Action"
        value={kind}
        options={kinds.map((each) => [each, SWAPS[each]] as const)}
        onChange={chooseKind}
      />
      <SelectField
        label={kind === 'swapCollateral' ? 'Collateral' : 'Debt'}
        value={typed.from}
        options={optionsOf(froms)}
        onChange={chooseFrom}
      />
      <SelectField
        label={kind === 'repayWithCollateral' ? 'Pay with' : 'Becomes'}
        value={typed.to}
        options={optionsOf(tos)}
        onChange={chooseTo}
      />
      <TextField
        label={`Amount in ${from?.symbol ?? 'tokens'}, or all`}
        value={amount}
        onChange={setAmount}
      />
    </ActionForm>
  );
}

/** The chosen side, while it is there, otherwise the first. */
const sideOf = (sides: readonly SwapSide[], chosen: string): SwapSide | undefined =>
  sides.find(({ reserve }) => reserve === chosen) ?? sides[0];

const optionsOf = (sides: readonly SwapSide[]) =>
  sides.map(({ reserve, symbol }) => [reserve, symbol] as const);
