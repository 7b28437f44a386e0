import { type ActionPreview, Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { useDeveloperMode } from '../ui/developer-mode.ts';
import { Tokens } from '../ui/value.tsx';
import { networkFee } from './act-words.ts';
import type { Verb } from './action.ts';
import { Effects } from './effects.tsx';
import type { Explained, Explanation } from './explained.ts';
import { LogLines } from './outcome.tsx';

interface ActDetailsProps {
  readonly preview: ActionPreview;
  /** Null before the simulation. */
  readonly explained: Explained | null;
  readonly verb: Verb;
  readonly symbol: string;
  /** Symbol of the shares of the vault. Null for a reserve. */
  readonly shares: string | null;
}

/** The raw figures of an action, for those who ask: every balance, every instruction and the whole preview. */
export function ActDetails({ preview, explained, verb, symbol, shares }: ActDetailsProps): ReactNode {
  const isDeveloper = useDeveloperMode();
  return (
    <details className="balances">
      <summary>Every balance that changes</summary>
      {explained !== null && <Balances explained={explained} shares={shares} />}
      <Effects preview={preview} verb={verb} symbol={symbol} />
      {isDeveloper &&
        explained?.transactions.map((each, index) => <Raw key={index.toString()} explanation={each} />)}
    </details>
  );
}

interface BalancesProps {
  readonly explained: Explained;
  readonly shares: string | null;
}

function Balances({ explained, shares }: BalancesProps): ReactNode {
  const [first, ...later] = explained.transactions;
  const fee = networkFee(explained);
  return (
    <>
      <dl className="moved">
        {(first.simulation?.balanceChanges ?? []).map(({ change: { amount, token } }) => (
          <Pair
            key={token.mint}
            name={balanceName(token.symbol, amount, shares, fee?.negated().toString() ?? null)}
          >
            {/* No colour: what leaves the wallet is not lost. */}
            <Tokens
              derived
              value={amount}
              symbol={token.symbol === shares ? 'shares' : token.symbol}
              signed
            />
          </Pair>
        ))}
        {(first.effects?.vaultPositions ?? []).map(({ vaultAddress, stakedShares: { before, after } }) => {
          const staked = before === null || after === null ? null : difference(before, after);
          return (
            staked !== null && (
              <Pair key={vaultAddress} name="Shares in the farm, yours">
                <Tokens derived value={staked} symbol="shares" signed />
              </Pair>
            )
          );
        })}
      </dl>
      {later.length > 0 && (
        <p className="sub">Those of the first transaction. The others follow when it is confirmed.</p>
      )}
    </>
  );
}

/** Null when nothing changes. */
function difference(before: string, after: string): string | null {
  const change = Decimal.of(after).minus(Decimal.of(before));
  return change.isZero ? null : change.toString();
}

function balanceName(symbol: string, amount: string, shares: string | null, fee: string | null): string {
  if (symbol === shares) return 'Shares in your wallet';
  return symbol === 'SOL' && amount === fee ? 'SOL, network fee' : `${symbol} in your wallet`;
}

function Pair({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Size, compute units, instructions and log lines of a transaction. */
function Raw({ explanation }: { readonly explanation: Explanation }): ReactNode {
  const { sizeBytes, simulation, instructions } = explanation;
  return (
    <section aria-label="Simulation">
      <p className="sub">
        {sizeBytes} bytes, {simulation?.unitsConsumed ?? 'unknown'} compute units
      </p>
      <ol>
        {instructions.map(({ programName, name, summary }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an instruction can occur twice, and the order is fixed.
          <li key={index}>
            {summary} <code>{`${programName ?? 'unknown program'} ${name ?? ''}`}</code>
          </li>
        ))}
      </ol>
      {simulation !== null && <LogLines logs={simulation.logs} />}
    </section>
  );
}
