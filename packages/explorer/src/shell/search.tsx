import { SluiceError } from '@sluice/client';
import { useSession } from '@sluice/client/react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { findAddress } from './find-address.ts';

const SEARCHING = 'Searching…';

/** Opens the page about any address that is pasted. */
export function Search(): ReactNode {
  const { client } = useSession();
  const [location, navigate] = useLocation();
  const [said, say] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const search = useRef<AbortController>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said is about the page before.
  useEffect(() => {
    say('');
    return () => search.current?.abort();
  }, [location]);
  const open = async (address: string) => {
    search.current?.abort();
    const stop = new AbortController();
    search.current = stop;
    say(SEARCHING);
    try {
      const found = await findAddress(client, address, stop.signal);
      if (stop.signal.aborted) return;
      if ('reason' in found) return say(found.reason);
      say('');
      if (input.current !== null) input.current.value = '';
      navigate(found.route);
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error;
      if (!stop.signal.aborted) say(error.message);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const address = input.current?.value.trim() ?? '';
    if (address !== '') void open(address);
  };
  return (
    <search className="search">
      <form onSubmit={submit}>
        <input
          ref={input}
          type="search"
          aria-label="Open the page of an address"
          placeholder="Vault, reserve, market, loan or wallet address"
          autoComplete="off"
          spellCheck={false}
          onInput={() => say('')}
        />
      </form>
      <output className="found">{said}</output>
    </search>
  );
}
