import { useState } from 'react';
import { keepDraft, type UploadDraft } from './upload-draft.ts';

/** What is typed, kept with each change. */
export function useUploadDraft(userId: string | undefined, begun: UploadDraft) {
  const [draft, setDraft] = useState(begun);

  function change(part: Partial<UploadDraft>) {
    const changed = { ...draft, ...part };
    setDraft(changed);
    if (userId) keepDraft(userId, changed);
  }

  return { draft, change };
}
