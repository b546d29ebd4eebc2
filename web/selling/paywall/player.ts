import { keepPlayed, readPlayed } from '../../lib/played.ts';

/** How far it plays before its place is kept again, and how near its end it begins anew. Seconds. */
const KEPT_EVERY_S = 5;
const NEAR_END_S = 10;

/**
 * Plays what was bought below the link that leads to it, in the link's place, from where this browser
 * stopped playing it, and after a piece of music the next one.
 */
export function playBelow(link: HTMLAnchorElement, name: string): void {
  // Pressed twice while this was loaded.
  if (link.hidden) return;
  const isHeld = document.activeElement === link;
  const media = document.createElement(link.type.startsWith('video/') ? 'video' : 'audio');
  if (!media.canPlayType(link.type)) {
    location.assign(link.href);
    return;
  }
  // Its place among the files may change with a new version.
  const address = `${link.pathname}/${name}`;
  /** Where the last connection broke, in seconds. */
  let brokeAt = 0;
  Object.assign(media, {
    autoplay: true,
    className: 'mb-3 w-full',
    controls: true,
    playsInline: true,
  });
  media.ariaLabel = name;
  media.src = link.href;

  function keep() {
    // It is being loaded anew.
    if (media.readyState < media.HAVE_METADATA) return;
    keepPlayed(address, media.currentTime < media.duration - NEAR_END_S ? media.currentTime : null);
  }
  media.addEventListener('loadedmetadata', () => {
    if (readPlayed(address) < media.duration) media.currentTime = readPlayed(address);
  });
  media.addEventListener('timeupdate', () => {
    if (Math.abs(media.currentTime - readPlayed(address)) > KEPT_EVERY_S) keep();
  });
  media.addEventListener('pause', keep);
  media.addEventListener('error', () => {
    const isBroken = media.error?.code === MediaError.MEDIA_ERR_NETWORK;
    if (isBroken && media.currentTime > brokeAt) {
      // What an expired link would still have brought comes by a new one.
      brokeAt = media.currentTime;
      media.load();
      return;
    }
    const isHeld = document.activeElement === media;
    media.remove();
    link.hidden = false;
    if (isHeld) link.focus();
    // This browser cannot play it, or the site says why it sends nothing.
    if (media.played.length === 0) location.assign(link.href);
  });
  media.addEventListener('play', () => {
    for (const other of document.querySelectorAll<HTMLMediaElement>('audio,video')) {
      if (other !== media) other.pause();
    }
  });
  const row = link.parentElement;
  media.addEventListener('ended', () => {
    const next = row?.nextElementSibling;
    const played = next?.querySelector('audio');
    if (played) void played.play();
    else next?.querySelector<HTMLElement>('a[type^="audio/"]')?.click();
  });
  row?.append(media);
  link.hidden = true;
  if (isHeld) media.focus();
}
