import { createElement, Fragment, type ReactNode } from 'react';
import { type Sentence, say } from './say.ts';

/** A sentence in the page's language where some of what is filled in is no text. */
export function sayWith(sentence: Sentence, values: Record<string, ReactNode>): ReactNode {
  const parts = say(sentence).split(/\{(\w+)\}/);
  const nodes = parts.map((part, place) => (place % 2 ? values[part] : part));
  return createElement(Fragment, null, ...nodes);
}
