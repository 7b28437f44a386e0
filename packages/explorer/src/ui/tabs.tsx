import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

export interface Tab {
  readonly key: string;
  readonly name: string;
  readonly content: () => ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Only the content of the selected tab is rendered. Arrow keys, Home and End select. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }): ReactNode {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [key, select] = useState(tabs[0]?.key);
  const index = Math.max(
    0,
    tabs.findIndex((tab) => tab.key === key),
  );
  const selected = tabs[index];
  if (selected === undefined) return null;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const next =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? tabs.length - 1
          : step === undefined
            ? null
            : (index + step + tabs.length) % tabs.length;
    if (next === null) return;
    event.preventDefault();
    select(tabs[next]?.key);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            aria-selected={tab === selected}
            aria-controls={`${id}-content`}
            tabIndex={tab === selected ? 0 : -1}
            onClick={() => select(tab.key)}
          >
            {tab.name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-content`} aria-labelledby={`${id}-${selected.key}`}>
        {selected.content()}
      </div>
    </div>
  );
}
