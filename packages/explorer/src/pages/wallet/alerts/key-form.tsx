import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { keepApiKey } from './api-key.ts';

/** Alerts belong to an API key of the reader. */
export function KeyForm(): ReactNode {
  const [text, setText] = useState('');
  const input = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = text.trim();
    if (key !== '') keepApiKey(key);
  };
  return (
    <details className="more">
      <summary>See your alerts</summary>
      <form className="alert-form" onSubmit={submit}>
        <p className="sub">
          Alerts call your own server when a loan comes near liquidation or a yield falls. They belong to an
          API key of this gateway. It stays in this browser.
        </p>
        <p className="field">
          <label htmlFor={input}>API key</label>
          <input
            id={input}
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </p>
        <p>
          <button type="submit">Use this key</button>
        </p>
      </form>
    </details>
  );
}
