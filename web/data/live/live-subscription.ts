import type { TadaDocumentNode } from 'gql.tada';
import { sourceOf } from '../graphql.ts';

export interface LiveSubscription {
  query: string;
  variables: Record<string, unknown>;
  /** Takes the data of an answer. */
  next(data: unknown): void;
}

/** A subscription and what the page does with each answer. */
export function liveSubscription<Data, Variables extends Record<string, unknown>>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  next: (data: Data) => void,
): LiveSubscription {
  return { query: sourceOf(document), variables, next: (data) => next(data as Data) };
}
