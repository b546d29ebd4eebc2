const CHANNEL = 'padlink.claim';

/** Tells the other open pages that this browser may have got a new claim, or more by it. */
export function announceClaim(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}

/** @returns ends it */
export function onClaim(run: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = run;
  return () => channel.close();
}
