/** What was typed on the upload page, kept in this tab while its creator signs in again. */
export interface UploadDraft {
  kind: 'file' | 'link';
  price: string;
  title: string;
  url: string;
}

const STORED = 'upload-draft';

export function keepDraft(userId: string, draft: UploadDraft) {
  sessionStorage.setItem(STORED, JSON.stringify({ userId, draft }));
}

/** Gives a kept draft back once, and only to whose it is. */
export function takeDraft(userId: string): UploadDraft | null {
  const stored = sessionStorage.getItem(STORED);
  sessionStorage.removeItem(STORED);
  if (!stored) return null;
  const kept: { userId: string; draft: UploadDraft } = JSON.parse(stored);
  return kept.userId === userId ? kept.draft : null;
}
