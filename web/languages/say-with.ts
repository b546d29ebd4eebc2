import { createElement, Fragment, type ReactNode } from 'react';
import { type Sentence, say } from './say.ts';

/**
 * A sentence in the page's language where some of what is filled in is no text. Each value is laid
 * out by itself.
 */
export function sayWith(sentence: Sentence, values: Record<string, ReactNode>): ReactNode {
  const parts = say(sentence).split(/\{(\w+)\}/);
  const nodes = parts.map((part, place) =>
    place % 2 ? createElement('bdi', null, values[part]) : part,
  );
  return createElement(Fragment, null, ...nodes);
}
