import { useState } from 'react';
import { MAX_COVER_BYTES } from '../../contract/limits.ts';
import { messageOf } from './request-error.ts';
import { type Cover, removeCover, sendCover } from './send-cover.ts';
import { isSignedOut, leadToSignIn } from './sign-in-again.ts';

const TOO_LARGE = 'This picture is larger than 10 MB. Choose a smaller one.';

/** What an owner does with the cover of a link; `sent` is 0 to 1 while a picture is on its way. */
export function useCover(id: string, onChanged: (cover: Cover | null) => void) {
  const [sent, setSent] = useState<number | null>(null);
  const [error, setError] = useState('');
  const [status, setStatus] = useState('');
  const busy = sent !== null;

  async function attempt(work: () => Promise<Cover | null>, done: string) {
    if (busy) return;
    setSent(0);
    setError('');
    setStatus('');
    try {
      onChanged(await work());
      setStatus(done);
    } catch (cause) {
      if (isSignedOut(cause)) leadToSignIn();
      setError(messageOf(cause));
    } finally {
      setSent(null);
    }
  }

  return {
    busy,
    sent,
    error,
    status,
    async choose(picture: File) {
      if (picture.size > MAX_COVER_BYTES) setError(TOO_LARGE);
      else await attempt(() => sendCover(id, picture, setSent), 'Saved. Buyers see the new cover.');
    },
    remove: () =>
      attempt(async () => {
        await removeCover(id);
        return null;
      }, 'Removed. Buyers see the key of your link.'),
  };
}
