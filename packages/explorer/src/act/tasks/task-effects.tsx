import type { ActionPreview } from '@sluice/client';
import type { ReactNode } from 'react';
import { shortAddress } from '../../format/address.ts';
import { ChangeRow, ChangeTable } from '../../ui/change-table.tsx';
import { Absent, Percent, Tokens, Usd } from '../../ui/value.tsx';
import { Effects } from '../effects.tsx';
import { previewRows, queueAmounts } from '../preview-rows.ts';
import { Positions, QuoteSentence } from '../swap-preview.tsx';
import { RolloverEffects } from './rollover-effects.tsx';
import type { Task } from './task.ts';
import { VaultEffects } from './vault-effects.tsx';

interface TaskEffectsProps {
  readonly preview: ActionPreview;
  readonly task: Pick<Task, 'symbol' | 'verb'>;
  /** Symbols of tokens by the address of their reserve. */
  readonly symbols: Readonly<Record<string, string>>;
}

/** All that an action changes, in the parts that apply to it. */
export function TaskEffects({ preview, task, symbols }: TaskEffectsProps): ReactNode {
  const { symbol = 'tokens', verb = 'withdraw' } = task;
  const nameOf = (reserve: string): string => symbols[reserve] ?? shortAddress(reserve);
  const orderText = preview.borrowOrder?.after ?? preview.borrowOrder?.before ?? null;
  const hasRows =
    previewRows(preview, verb, symbol).length + queueAmounts(preview).length + preview.fees.length > 0;
  return (
    <>
      <QuoteSentence quote={preview.quote} />
      {orderText !== null && <p>{orderText}</p>}
      <Positions positions={preview.positions} symbolOf={nameOf} />
      {preview.liquidation !== null && <Liquidation liquidation={preview.liquidation} />}
      {preview.rollover !== null && <RolloverEffects rollover={preview.rollover} />}
      {preview.vault !== null && <VaultEffects vault={preview.vault} symbol={symbol} nameOf={nameOf} />}
      {hasRows && <Effects preview={preview} verb={verb} symbol={symbol} />}
      <Rewards rewards={preview.rewards} />
      <Referrer referrer={preview.referrer} />
      <WalletChanges changes={preview.walletChanges} />
    </>
  );
}

function Liquidation({
  liquidation,
}: {
  readonly liquidation: NonNullable<ActionPreview['liquidation']>;
}): ReactNode {
  const { repaid, received, protocolFee, bonus, profitUsd } = liquidation;
  const none = <Absent why="An amount of this action" />;
  const amounts = [
    ['You repay', repaid],
    ['You receive', received],
    ['Fee of the protocol', protocolFee],
  ] as const;
  return (
    <ChangeTable caption="The liquidation" heads={['Liquidation', 'Before', 'After']}>
      {amounts.map(([name, { amount, token }]) => (
        <ChangeRow
          key={name}
          name={name}
          before={none}
          after={<Tokens derived value={amount} symbol={token.symbol} />}
        />
      ))}
      <ChangeRow name="Bonus" before={none} after={<Percent derived value={bonus} />} />
      <ChangeRow
        name="Profit at the prices of the oracle"
        before={none}
        after={<Usd derived value={profitUsd} absent="A price is unknown." />}
      />
    </ChangeTable>
  );
}

function Rewards({ rewards }: { readonly rewards: ActionPreview['rewards'] }): ReactNode {
  if (rewards.length === 0) return null;
  return (
    <ul>
      {rewards.map(({ farm, amount: { amount, token } }) => (
        <li key={`${farm} ${token.mint}`}>
          <Tokens derived value={amount} symbol={token.symbol} signed />{' '}
          <span className="muted">from farm {shortAddress(farm)}</span>
        </li>
      ))}
    </ul>
  );
}

function Referrer({ referrer }: { readonly referrer: ActionPreview['referrer'] }): ReactNode {
  if (referrer === null) return null;
  const { registers, reserves, rent } = referrer;
  return (
    <p>
      {registers && 'Registers the wallet with the lending program. '}
      {reserves.length > 0 && `Opens accounts for the fees of ${reserves.length} reserves. `}
      {rent !== null && (
        <>
          Rent: <Tokens derived value={rent.amount} symbol={rent.token.symbol} />.
        </>
      )}
    </p>
  );
}

function WalletChanges({ changes }: { readonly changes: ActionPreview['walletChanges'] }): ReactNode {
  if (changes.length === 0) return null;
  return (
    <ul>
      {changes.map(({ amount, token }) => (
        <li key={`${token.mint} ${amount}`}>
          Your wallet: <Tokens derived value={amount} symbol={token.symbol} signed />
        </li>
      ))}
    </ul>
  );
}
