/** How far it plays before its place is kept again, and how near its end it begins anew. Seconds. */
const KEPT_EVERY_S = 5;
const NEAR_END_S = 10;

/**
 * Plays what was bought below the link that leads to it, in the link's place, from where this browser
 * stopped playing it, and after a piece of music the next one.
 */
export function playBelow(link: HTMLAnchorElement): void {
  const media = document.createElement(link.type.startsWith('video/') ? 'video' : 'audio');
  const key = `played:${link.pathname}${link.search}`;
  Object.assign(media, {
    autoplay: true,
    className: 'mb-3 w-full',
    controls: true,
    playsInline: true,
  });
  media.ariaLabel = link.ariaLabel;
  media.src = link.href;

  function keep() {
    // It is being loaded anew.
    if (media.readyState < media.HAVE_METADATA) return;
    write(key, media.currentTime < media.duration - NEAR_END_S ? media.currentTime : null);
  }
  media.addEventListener('loadedmetadata', () => {
    if (read(key) < media.duration) media.currentTime = read(key);
  });
  media.addEventListener('timeupdate', () => {
    if (Math.abs(media.currentTime - read(key)) > KEPT_EVERY_S) keep();
  });
  media.addEventListener('pause', keep);
  media.addEventListener('error', () => {
    // What an expired link would still have brought comes by a new one.
    if (media.error?.code === MediaError.MEDIA_ERR_NETWORK && read(key) > 0) media.load();
  });
  media.addEventListener('play', () => {
    for (const other of document.querySelectorAll<HTMLMediaElement>('audio,video')) {
      if (other !== media) other.pause();
    }
  });
  const row = link.parentElement;
  media.addEventListener('ended', () => {
    const next = row?.nextElementSibling?.querySelector<HTMLElement>('audio,a[type^="audio/"]');
    if (next instanceof HTMLAudioElement) void next.play();
    else next?.click();
  });
  row?.append(media);
  link.hidden = true;
  media.focus();
}

/** @returns seconds; 0 where none are kept */
function read(key: string): number {
  try {
    return Number(localStorage.getItem(key));
  } catch {
    return 0;
  }
}

/** A browser that keeps nothing plays all the same. */
function write(key: string, seconds: number | null): void {
  try {
    if (seconds === null) localStorage.removeItem(key);
    else localStorage.setItem(key, String(seconds));
  } catch {}
}
