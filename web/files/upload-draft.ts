import { useState } from 'react';
import type { TypedTerms } from '../lib/sale-terms.ts';
import type { KeptFile } from './upload-queue.ts';

/** What was typed on the upload page, kept in this tab across a reload and a new sign-in. */
export interface UploadDraft extends TypedTerms {
  kind: 'file' | 'link';
  price?: string;
  /** Absent until one was typed: the chosen file then suggests it. */
  title?: string;
  /** Absent until one was typed: the first name then suggests it. */
  sellerName?: string;
  url?: string;
  description?: string;
  unlisted?: boolean;
  /** Of what replaces the content of a link: whether its buyers are told. */
  tell?: boolean;
  /** Once the upload of one of them was begun. */
  files?: KeptFile[] | undefined;
}

/** That of a new link, or of one whose content is to be replaced. */
const placeOf = (linkId: string | null) => (linkId ? `upload-draft-${linkId}` : 'upload-draft');

export function keepDraft(userId: string, linkId: string | null, draft: UploadDraft) {
  sessionStorage.setItem(placeOf(linkId), JSON.stringify({ userId, draft }));
}

export function dropDraft(linkId: string | null) {
  sessionStorage.removeItem(placeOf(linkId));
}

/** The saved draft, for its owner; someone else's is discarded. */
export function readDraft(userId: string, linkId: string | null): UploadDraft | null {
  const stored = sessionStorage.getItem(placeOf(linkId));
  if (!stored) return null;
  const kept: { userId: string; draft: UploadDraft } = JSON.parse(stored);
  if (kept.userId === userId) return kept.draft;
  dropDraft(linkId);
  return null;
}

const TYPED = ['price', 'title', 'sellerName', 'description', 'least', 'copies', 'until'];

/** What is typed, kept with each change. */
export function useUploadDraft(userId: string | undefined, begun: UploadDraft) {
  const [draft, setDraft] = useState(begun);

  function change(part: Partial<UploadDraft>) {
    const changed = { ...draft, ...part };
    setDraft(changed);
    if (userId) keepDraft(userId, null, changed);
  }

  function noteTyped({ name, value, checked }: HTMLInputElement) {
    if (TYPED.includes(name)) change({ [name]: value });
    if (name === 'unlisted') change({ unlisted: checked });
  }

  return { draft, change, noteTyped };
}

const HOST_FIRST = /^[^\s/:@?#]+\.[^\s/:@?#]+(:\d+)?([/?#]|$)/;

/** example.com/course -> https://example.com/course; anything else as it was typed. */
export function completeUrl(typed: string): string {
  const url = typed.trim();
  return HOST_FIRST.test(url) ? `https://${url}` : url;
}
