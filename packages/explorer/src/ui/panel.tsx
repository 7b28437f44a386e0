import { type Document, documentText, type SluiceError } from '@sluice/client';
import { type ReactNode, useId } from 'react';
import { CopyButton } from './copy-button.tsx';
import { useDeveloperMode } from './developer-mode.ts';
import { graphiqlUrl } from './graphiql-url.ts';
import { Notice } from './notice.tsx';
import type { PanelResult } from './panel-result.ts';
import { Failure, Loading } from './states.tsx';
import { typescriptOf } from './typescript-of.ts';
import { useHistoryStart } from './use-history-start.ts';

export interface PanelProps<Data, Variables> {
  readonly title: string;
  /** The query behind the panel, for GraphiQL and for a program. */
  readonly document: Document<Data, Variables>;
  readonly variables: Variables;
  readonly result: PanelResult<Data>;
  /** Controls beside the title, such as a range picker. */
  readonly controls?: ReactNode;
  /** Another panel of the page has the same result, and says what could not be read. */
  readonly secondary?: boolean;
  /** Its controls say what it is: the title is for screen readers. */
  readonly hidesTitle?: boolean;
  readonly children: (data: Data) => ReactNode;
}

/** A part of a page with one query: its loading, stale and error states, and its query to take away. */
export function Panel<Data, Variables>(props: PanelProps<Data, Variables>): ReactNode {
  const {
    title,
    document,
    variables,
    result,
    controls,
    secondary = false,
    hidesTitle = false,
    children,
  } = props;
  useHistoryStart(result, !secondary);
  const heading = useId();
  const query = documentText(document);
  const answer = result.data;
  return (
    <section
      className="panel"
      aria-labelledby={heading}
      aria-busy={result.isFetching}
      data-view={answer?.chain?.view}
    >
      <header>
        <h2 id={heading} className={hidesTitle ? 'visually-hidden' : undefined}>
          {title}
        </h2>
        {controls}
        {useDeveloperMode() && <TakeAway title={title} query={query} variables={variables} />}
      </header>
      {result.error !== null && answer !== undefined && (
        <Notice tone="caution" title="Not current.">
          {result.error.message}{' '}
          <button type="button" className="quiet" onClick={() => void result.refetch()}>
            Try again
          </button>
        </Notice>
      )}
      {answer !== undefined && !secondary && <Unread errors={answer.errors} />}
      {answer !== undefined ? (
        <div className={result.isPlaceholderData ? 'content outdated' : 'content'}>
          {children(answer.data)}
        </div>
      ) : result.error !== null ? (
        <Failure error={result.error} retry={() => void result.refetch()} />
      ) : (
        <Loading what={title.toLowerCase()} />
      )}
    </section>
  );
}

/** The query of a panel, for a program. */
function TakeAway({
  title,
  query,
  variables,
}: {
  readonly title: string;
  readonly query: string;
  readonly variables: unknown;
}): ReactNode {
  return (
    <span className="take-away">
      <a
        href={graphiqlUrl(query, variables)}
        target="_blank"
        rel="noreferrer"
        aria-label={`Open in GraphiQL: ${title}`}
      >
        Open in GraphiQL
      </a>
      <CopyButton label="Copy as TypeScript" text={() => typescriptOf(query, variables)} />
    </span>
  );
}

/** Fields that could not be read: their numbers are unknown, and this says why. */
function Unread({ errors }: { readonly errors: readonly SluiceError[] }): ReactNode {
  const messages = [
    // The page says once that history is starting.
    ...new Set(errors.filter(({ code }) => code !== 'HISTORY_STARTING').map(({ message }) => message)),
  ];
  if (messages.length === 0) return null;
  return (
    <Notice tone="caution" title="Some values could not be read.">
      <ul>
        {messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Notice>
  );
}
