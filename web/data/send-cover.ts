import type { PaywallLink } from './paywall-link.ts';
import { parseRefusal, readRefusal } from './request-error.ts';

export type Cover = NonNullable<PaywallLink['cover']>;

/**
 * Sends a picture as the cover of a link. Throws RequestError, TypeError without an answer.
 * @param onProgress told how much was sent, 0 to 1
 */
export function sendCover(
  id: string,
  picture: File,
  onProgress: (sent: number) => void,
): Promise<Cover> {
  const { promise, resolve, reject } = Promise.withResolvers<Cover>();
  // fetch tells nothing of what was sent.
  const request = new XMLHttpRequest();
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
  request.onload = () => {
    const { status, responseText } = request;
    if (status === 200) resolve(JSON.parse(responseText));
    else reject(parseRefusal(status, responseText));
  };
  request.onerror = () => reject(new TypeError('No answer came'));
  request.open('PUT', `/p/${id}/cover`);
  request.setRequestHeader('accept', 'application/json');
  request.send(picture);
  return promise;
}

/** Throws RequestError, TypeError without an answer. */
export async function removeCover(id: string): Promise<void> {
  const answer = await fetch(`/p/${id}/cover`, { method: 'DELETE' });
  if (!answer.ok) throw await readRefusal(answer);
}
