import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { graphql } from './graphql.ts';
import { requestGraphql } from './request-graphql.ts';

/**
 * Whether this browser shows sales: 'unsupported', only once it is 'installed' on the home screen,
 * 'blocked' by the person, 'off' or 'on'.
 */
export type NoticeState = 'unsupported' | 'not-installed' | 'blocked' | 'off' | 'on';

/** The account whose sales this browser shows. */
const SHOWN = 'padlink.shown-sales';

/** What this browser does for an account, as far as it knows itself. */
export async function readNoticeState(viewerId: string): Promise<NoticeState> {
  if (isAppleMobile() && !matchMedia('(display-mode: standalone)').matches) return 'not-installed';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return 'unsupported';
  }
  if (Notification.permission === 'denied') return 'blocked';
  return readShown() === viewerId && (await findSubscription()) ? 'on' : 'off';
}

/** An iPad says that it is a Mac, which has no touch screen. */
function isAppleMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

interface Asked {
  config: RuntimeConfig;
  viewerId: string;
  /** Of the installation. */
  pushKey: string;
}

/**
 * Asks the person, subscribes this browser and tells the server. @returns what came of it
 * @throws Error where the browser reaches no push service, RequestError where the server refuses
 */
export async function turnNoticesOn({ config, viewerId, pushKey }: Asked): Promise<NoticeState> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off';
  await navigator.serviceWorker.register('/service-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const earlier = await pushManager.getSubscription();
  // One for another key, of an installation that was here before, takes nothing from this one.
  if (earlier && keyOf(earlier) !== pushKey) await earlier.unsubscribe();
  const wanted = { userVisibleOnly: true, applicationServerKey: pushKey };
  await send(config, await pushManager.subscribe(wanted));
  keepShown(viewerId);
  return 'on';
}

/** @throws RequestError where the server could not be told */
export async function turnNoticesOff(config: RuntimeConfig): Promise<void> {
  await requestGraphql(config, STOP, {});
  await (await findSubscription())?.unsubscribe();
  keepShown(null);
}

/**
 * Tells the server again of a browser that shows sales: its session may be a new one. Does nothing
 * where it does not.
 */
export async function renewNotices(config: RuntimeConfig, viewerId: string): Promise<void> {
  if ((await readNoticeState(viewerId)) !== 'on') return;
  const subscription = await findSubscription();
  if (subscription) await send(config, subscription);
}

/** The same from a page that is opened often: once for each tab. A failure is left to the next. */
export async function renewNoticesOnce(config: RuntimeConfig, viewerId: string): Promise<void> {
  try {
    if (readShown() !== viewerId || sessionStorage.getItem(SHOWN) === viewerId) return;
    await renewNotices(config, viewerId);
    sessionStorage.setItem(SHOWN, viewerId);
  } catch (error) {
    console.warn(error);
  }
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function send(config: RuntimeConfig, subscription: PushSubscription): Promise<void> {
  const { endpoint = '', keys } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys ?? {};
  await requestGraphql(config, NOTIFY, { endpoint, p256dh, auth });
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function readShown(): string | null {
  try {
    return localStorage.getItem(SHOWN);
  } catch {
    return null;
  }
}

function keepShown(viewerId: string | null): void {
  try {
    if (viewerId === null) localStorage.removeItem(SHOWN);
    else localStorage.setItem(SHOWN, viewerId);
  } catch {
    // A browser that keeps nothing is told until its session ends.
  }
}

const NOTIFY = graphql(`
  mutation NotifyBrowser($endpoint: String!, $p256dh: String!, $auth: String!) {
    notifyBrowser(endpoint: $endpoint, p256dh: $p256dh, auth: $auth)
  }
`);

const STOP = graphql(`
  mutation StopNotifying {
    stopNotifyingBrowser
  }
`);
