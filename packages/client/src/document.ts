import { print } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';

/** A typed document, from `graphql(...)` of this package or from another generator of typed documents. */
export type Document<Data, Variables> = TadaDocumentNode<Data, Variables>;

const texts = new WeakMap<object, string>();

/**
 * The text of a document, as it is sent.
 *
 * @example
 * documentText(graphql('query { chain { slot } }'));
 */
export function documentText<Data, Variables>(document: Document<Data, Variables>): string {
  const known = texts.get(document);
  if (known !== undefined) return known;
  const text = print(document);
  texts.set(document, text);
  return text;
}
