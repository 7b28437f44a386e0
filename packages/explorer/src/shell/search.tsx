import { Decimal, SluiceError } from '@sluice/client';
import { useSession, useSluiceQuery } from '@sluice/client/react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { rate, usd } from '../format/numbers.ts';
import { Icon } from '../ui/icon.tsx';
import { PlaceMark, TokenMark } from '../ui/mark.tsx';
import { findAddress } from './find-address.ts';
import { onSearchAsked } from './search-focus.ts';
import { matching, NAMES, type Suggestion, suggestionsOf } from './suggestions.ts';

const SEARCHING = 'Searching…';
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
const HEADINGS: readonly (readonly [string, readonly Suggestion['kind'][]])[] = [
  ['Vaults', ['vault']],
  ['Markets, tokens and curators', ['market', 'token', 'curator']],
];

/** Suggests vaults, markets, tokens and curators while one types, and opens any address or signature. Ctrl K goes there. */
export function Search(): ReactNode {
  const { client } = useSession();
  const [location, navigate] = useLocation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const searching = useRef<AbortController>(null);
  const [isOpen, open] = useState(false);
  const [typed, type] = useState('');
  const [chosen, choose] = useState(0);
  const [said, say] = useState('');
  const names = useSluiceQuery(NAMES, {}, { enabled: isOpen, refetchMs: 60_000 });
  const all = useMemo(() => (names.data === undefined ? [] : suggestionsOf(names.data.data)), [names.data]);
  const found = useMemo(() => {
    const matches = matching(all, typed);
    // As the headings group them, so that arrow keys follow what is seen.
    return HEADINGS.flatMap(([, kinds]) => matches.filter(({ kind }) => kinds.includes(kind)));
  }, [all, typed]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the page has changed, so that the search is over.
  useEffect(() => {
    close();
    return () => searching.current?.abort();
  }, [location]);
  useEffect(() => {
    const focus = () => {
      open(true);
      // A narrow header shows the box only when it is open.
      requestAnimationFrame(() => input.current?.focus());
    };
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      focus();
    };
    addEventListener('keydown', onKey);
    const stop = onSearchAsked(focus);
    return () => {
      removeEventListener('keydown', onKey);
      stop();
    };
  }, []);

  function close(): void {
    open(false);
    type('');
    say('');
    choose(0);
  }

  const go = (route: string) => {
    close();
    input.current?.blur();
    navigate(route);
  };

  const find = async (address: string) => {
    searching.current?.abort();
    const stop = new AbortController();
    searching.current = stop;
    say(SEARCHING);
    try {
      const answer = await findAddress(client, address, stop.signal);
      if (stop.signal.aborted) return;
      if ('reason' in answer) say(answer.reason);
      else go(answer.route);
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error;
      if (!stop.signal.aborted) say(error.message);
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      choose((chosen + step + found.length) % found.length);
    } else if (event.key === 'Escape') {
      close();
      input.current?.blur();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const suggestion = found[chosen];
      if (suggestion !== undefined) go(suggestion.route);
      else if (typed.trim() !== '') void find(typed.trim());
    }
  };

  const isShown = isOpen && (found.length > 0 || said !== '' || typed !== '');
  return (
    <search className={isOpen ? 'find open' : 'find'}>
      <div className="find-box">
        <button
          type="button"
          className="find-icon"
          aria-label="Search"
          tabIndex={-1}
          onClick={() => {
            open(true);
            requestAnimationFrame(() => input.current?.focus());
          }}
        >
          <Icon name="search" />
        </button>
        <input
          ref={input}
          type="search"
          role="combobox"
          aria-label="Search vaults, tokens, curators, markets, addresses"
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
          aria-autocomplete="list"
          placeholder="Search names, tokens, addresses"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onFocus={() => open(true)}
          onBlur={() => open(false)}
          onChange={({ target }) => {
            type(target.value);
            say('');
            choose(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Ctrl K</kbd>
      </div>
      {/* Pressing the mouse would take the focus from the box, and close what is pressed. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus where it is. */}
      <div className="drop" hidden={!isShown} onMouseDown={(event) => event.preventDefault()}>
        <div role="listbox" id={`${id}-list`} aria-label="Suggestions">
          {HEADINGS.map(([heading, kinds]) => {
            const group = found.flatMap((suggestion, index) =>
              kinds.includes(suggestion.kind) ? [{ suggestion, index }] : [],
            );
            if (group.length === 0) return null;
            return (
              // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields.
              <div role="group" aria-label={heading} key={heading}>
                <div className="drop-title" aria-hidden="true">
                  {heading}
                </div>
                {group.map(({ suggestion, index }) => (
                  <Option
                    key={`${suggestion.kind} ${suggestion.key}`}
                    id={`${id}-${index}`}
                    suggestion={suggestion}
                    typed={typed.trim()}
                    isChosen={index === chosen}
                    onChoose={() => go(suggestion.route)}
                  />
                ))}
              </div>
            );
          })}
        </div>
        <output className="drop-said">
          {said !== ''
            ? said
            : found.length === 0 && names.data !== undefined
              ? 'No name matches. Press Enter to look up an address or a signature.'
              : ''}
        </output>
        <p className="drop-foot">Any address or signature works too</p>
      </div>
    </search>
  );
}

interface OptionProps {
  readonly id: string;
  readonly suggestion: Suggestion;
  readonly typed: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Option({ id, suggestion, typed, isChosen, onChoose }: OptionProps): ReactNode {
  const { kind, name, detail, token, figure } = suggestion;
  const shown =
    figure === null
      ? null
      : figure.unit === 'usd'
        ? usd(Decimal.of(figure.value))
        : rate(Decimal.of(figure.value));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the box has the focus and the keys.
    <div className="option" role="option" id={id} aria-selected={isChosen} onClick={onChoose}>
      {kind === 'token' ? (
        <TokenMark name={name} size={28} />
      ) : (
        <PlaceMark name={name} size={32} {...(token === undefined ? {} : { token })} />
      )}
      <span className="about">
        <Marked text={name} typed={typed} />
        <span className="sub">{detail}</span>
      </span>
      {shown !== null && <span className="value">{shown.text}</span>}
    </div>
  );
}

/** The typed letters are underlined where the name has them. */
function Marked({ text, typed }: { readonly text: string; readonly typed: string }): ReactNode {
  const at = typed === '' ? -1 : text.toLowerCase().indexOf(typed.toLowerCase());
  if (at < 0) return <span>{text}</span>;
  return (
    <span>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + typed.length)}</mark>
      {text.slice(at + typed.length)}
    </span>
  );
}
