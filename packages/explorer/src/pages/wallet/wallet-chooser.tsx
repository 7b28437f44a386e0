import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { WalletChoices } from '../../act/wallet-choices.tsx';
import { looksLikeAddress } from '../../ui/looks-like-address.ts';
import { Page } from '../../ui/page.tsx';
import './wallet.css';

/** Ways to a wallet: any address to look at, or one that can sign. */
export function WalletChooser({ wrong }: { readonly wrong?: string }): ReactNode {
  const [, open] = useLocation();
  const [text, setText] = useState(wrong ?? '');
  const [problem, setProblem] = useState<string | null>(
    wrong === undefined ? null : `${wrong} is not an address.`,
  );
  const [input, message] = [useId(), useId()];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const address = text.trim();
    if (looksLikeAddress(address)) open(`/wallet/${address}`);
    else setProblem('An address has 32 to 44 letters and digits, without 0, O, I and l.');
  };
  return (
    <Page title="Wallet" lead="Positions, loans, rewards and transactions of any wallet on the platform.">
      <section className="panel" aria-label="Choose a wallet">
        <div className="content wallet-chooser">
          <form onSubmit={submit}>
            <label htmlFor={input}>Address</label>
            <div className="row">
              <input
                id={input}
                className="mono"
                value={text}
                onChange={({ target }) => setText(target.value)}
                autoComplete="off"
                spellCheck={false}
                aria-invalid={problem !== null}
                aria-describedby={message}
              />
              <button type="submit" className="primary">
                Open
              </button>
            </div>
            <p id={message} className="problem" aria-live="polite">
              {problem}
            </p>
          </form>
          <div>
            <h2>Or use a wallet that can sign</h2>
            <WalletChoices onChoice={(address) => open(`/wallet/${address}`)} />
          </div>
        </div>
      </section>
    </Page>
  );
}
