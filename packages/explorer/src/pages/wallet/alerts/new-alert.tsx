import type { SluiceClient } from '@sluice/client';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { shortAddress } from '../../../format/address.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Failure } from '../../../ui/states.tsx';
import type { VaultPosition } from '../wallet-documents.ts';
import { alertInput, WALLET_SUBJECT } from './alert-input.ts';
import { CREATE_ALERT } from './alerts-documents.ts';

export interface NewAlertProps {
  readonly client: SluiceClient;
  readonly address: string;
  readonly positions: readonly VaultPosition[];
  readonly onCreated: () => void;
}

/** Registers an alert on the wallet or one of its vaults. Other figures are for programs: the documentation has them. */
export function NewAlert({ client, address, positions, onCreated }: NewAlertProps): ReactNode {
  const [subject, setSubject] = useState(WALLET_SUBJECT);
  const [below, setBelow] = useState('15');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  const [problem, setProblem] = useState<Error | null>(null);
  const [isSending, setSending] = useState(false);
  const id = useId();
  const input = alertInput({ subject, below, url }, address);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (input === null) return;
    setProblem(null);
    setSending(true);
    try {
      const { data } = await client.query(CREATE_ALERT, { input });
      setSecret(data.createAlert.secret);
      onCreated();
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setSending(false);
    }
  };
  const vaults = positions.flatMap(({ vault }) => (vault === null ? [] : [vault]));
  return (
    <details className="more">
      <summary>New alert</summary>
      <form className="alert-form" onSubmit={(event) => void submit(event)}>
        <p className="field">
          <label htmlFor={`${id}-subject`}>Tell me when</label>
          <select id={`${id}-subject`} value={subject} onChange={({ target }) => setSubject(target.value)}>
            <option value={WALLET_SUBJECT}>any loan is nearer to liquidation than</option>
            {vaults.map((vault) => (
              <option key={vault.address} value={vault.address}>
                the APY of {vault.name || shortAddress(vault.address)} is at or below
              </option>
            ))}
          </select>
        </p>
        <p className="field">
          <label htmlFor={`${id}-below`}>Percent</label>
          <input
            id={`${id}-below`}
            inputMode="decimal"
            size={6}
            autoComplete="off"
            value={below}
            onChange={({ target }) => setBelow(target.value)}
          />
        </p>
        <p className="field">
          <label htmlFor={`${id}-url`}>Address of your server</label>
          <input
            id={`${id}-url`}
            type="url"
            placeholder="https://hooks.example/risk"
            autoComplete="off"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        </p>
        <p>
          <button type="submit" disabled={input === null || isSending}>
            {isSending ? 'Registering…' : 'Register'}
          </button>
        </p>
        {problem !== null && <Failure error={problem} />}
        {secret !== null && (
          <Notice tone="safe" title="The alert is registered.">
            This secret signs its messages. It is shown only here: <code>{secret}</code>{' '}
            <CopyButton label="Copy the secret" text={() => secret} />
          </Notice>
        )}
      </form>
    </details>
  );
}
