import { initGraphQLTada, type TadaDocumentNode } from 'gql.tada';
import type { Fact } from '../../contract/fact.ts';
import type { introspection } from '../../contract/graphql-env.d.ts';

const parse = /* @__PURE__ */ initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: { DateTime: string; URL: string; Fact: Fact };
}>();

type SourcedDocument = Pick<TadaDocumentNode, 'loc'>;

/** A GraphQL document with the types of the schema. It keeps its source text: see sourceOf. */
export const graphql = ((source: string, fragments: SourcedDocument[] = []) => {
  const body = [source, ...fragments.map(sourceOf)].join('\n');
  // Only the server reads more of it than the text: the browser is spared the parser.
  const document = import.meta.env.SSR ? parse(source, fragments as never) : {};
  return Object.assign(document, { loc: { source: { body } } });
}) as unknown as typeof parse;

/** The text of a document, so that the browser needs no printer and the server's cache has a key. */
export function sourceOf(document: SourcedDocument): string {
  if (!document.loc)
    throw new Error('This document was not made by graphql() of web/lib/graphql.ts');
  return document.loc.source.body;
}

export type { FragmentOf, ResultOf, VariablesOf } from 'gql.tada';
