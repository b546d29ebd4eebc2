import { type MouseEvent, type ReactNode, type SyntheticEvent, useEffect, useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { CHECKOUT_FAILED, TEXTS } from '../../../contract/texts.ts';
import { type Sentence, say, tell } from '../../languages/say.ts';
import { graphql } from '../../lib/graphql.ts';
import { announceClaim } from '../../lib/live-subscription.ts';
import { messageOf, postJson, RequestError } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { Still } from '../../shell/raw.tsx';
import { Alert } from '../../ui/alert.tsx';
import { openContent, useOpening } from './open-content.ts';

interface UnlockFormProps {
  id: string;
  config: RuntimeConfig;
  state: 'locked' | 'free' | 'unlocked';
  /** What the content is, and where. */
  type: string | undefined;
  content: string;
  /** What the checkout is told beside the link; drawn by the server alone. */
  fields: ReactNode;
  /** What leads elsewhere than to the checkout, below it; drawn by the server alone. */
  others: ReactNode;
  /** What the server has to say on this page. */
  error: Failure | undefined;
}

export interface Failure {
  message: string;
  /** What is known about the cause. */
  hint?: string | undefined;
}

const BUSY_LABEL = 'Unlocking...';

/**
 * 'Unlock Now', a plain form that leads to the checkout, or, like 'Download' and 'Open', an address
 * that leads to the content. JavaScript adds the words.
 */
export function UnlockForm({
  id,
  config,
  state,
  type,
  content,
  fields,
  others,
  error,
}: UnlockFormProps) {
  const [pressed, setPressed] = useState(false);
  const busy = useOpening() === content || pressed;
  const [failure, setFailure] = useState(error);

  useEffect(() => {
    // Back from the checkout, a browser shows the page as it was left: busy and disabled.
    const comeBack = async ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      setPressed(false);
      if (state !== 'locked') return;
      // Still locked also if that is unknown.
      const link = await readLink(id, config).catch(() => null);
      if (link?.unlocked) location.reload();
    };
    addEventListener('pageshow', comeBack);
    return () => removeEventListener('pageshow', comeBack);
  }, [id, config, state]);

  async function unlock(event: SyntheticEvent<HTMLElement>) {
    // Another button of the form has an address of its own.
    if ((event.nativeEvent as SubmitEvent).submitter?.getAttribute('name')) return;
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    setPressed(true);
    setFailure(undefined);
    try {
      const checkout = await findCheckout(id, config, form);
      if (checkout) return location.assign(checkout);
      openContent(content);
      setPressed(false);
    } catch (thrown) {
      setFailure(describe(thrown));
      setPressed(false);
    }
  }

  const label = say(busy ? BUSY_LABEL : labelOf(state, type));
  const trouble = failure && (
    <div className="mt-4">
      <UnlockFailure {...failure} />
    </div>
  );

  if (state !== 'locked') {
    return (
      <div>
        <ContentButton busy={busy} href={content} onPress={unlock}>
          {label}
        </ContentButton>
        {trouble}
      </div>
    );
  }
  return (
    // If no endpoint is configured, our own answers with that error.
    <form
      action={`${config.checkoutApiEndpoint || '/prod/'}checkout`}
      id="unlock"
      method="post"
      onSubmit={unlock}
    >
      <input name="paywallId" type="hidden" value={id} />
      <Still>{fields}</Still>
      <button
        aria-busy={busy}
        className="button button-primary w-full text-lg"
        data-busy-label={say(BUSY_LABEL)}
        disabled={busy}
        type="submit"
      >
        {label}
      </button>
      {trouble}
      <Still>{others}</Still>
    </form>
  );
}

function labelOf(state: UnlockFormProps['state'], type: string | undefined): Sentence {
  if (state !== 'unlocked') return 'Unlock Now';
  return type === 'link' ? 'Open' : 'Download';
}

function describe(thrown: unknown): Failure {
  if (thrown instanceof UnlockRefusal) return { message: tell(thrown.message) };
  console.error(thrown);
  const { cause } = thrown as { cause?: unknown };
  return { message: say(TEXTS.unlockFailed), hint: messageOf(cause ?? thrown) };
}

/** Why nothing was unlocked, and in small print what is known about the cause. */
export function UnlockFailure({ message, hint }: Failure) {
  return (
    <>
      <Alert>{message}</Alert>
      {hint && <p className="mt-2 text-sm text-muted">{hint}</p>}
    </>
  );
}

interface ContentButtonProps {
  href: string;
  busy: boolean;
  onPress(event: MouseEvent<HTMLElement>): void;
  children: ReactNode;
}

/**
 * The button that leads to the content. What is sold may be on another site, where browsers
 * let no form lead: so it is an address, pressed like a button.
 */
function ContentButton({ href, busy, onPress, children }: ContentButtonProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button would need the form.
    <a
      aria-busy={busy}
      aria-disabled={busy}
      className="button button-primary w-full text-lg"
      href={href}
      onClick={onPress}
      onKeyDown={(event) => {
        if (event.key !== ' ') return;
        event.preventDefault();
        event.currentTarget.click();
      }}
      role="button"
    >
      {children}
    </a>
  );
}

const linkQuery = graphql(`
  query UnlockLink($id: ID!) {
    getPaywallLink(id: $id) { unlocked type key url }
  }
`);

const readLink = async (id: string, config: RuntimeConfig) =>
  (await requestGraphql(config, linkQuery, { id })).getPaywallLink;

/** An error whose message is all that there is to say, such as those of the specification (§8). */
class UnlockRefusal extends Error {
  override name = 'UnlockRefusal';
}

/**
 * The checkout that 'Unlock Now' leads to; null when the viewer may have the content already.
 * Throws UnlockRefusal, or whatever else went wrong on the way.
 */
async function findCheckout(
  id: string,
  config: RuntimeConfig,
  form: HTMLElement,
): Promise<string | null> {
  const link = await readLink(id, config);
  if (!link) throw new UnlockRefusal(TEXTS.linkNotFound);
  const body = readForm(form);
  const { paywallId, amount, giftEmail } = body;
  const deliverable = link.type === 'file' ? link.key : TO_OPEN.includes(link.type) && link.url;
  // What is locked may be the viewer's own.
  const isOpen = link.unlocked || (deliverable && !paywallId);
  if (!isOpen || giftEmail || (amount && Number(amount) !== 0))
    return startCheckout({ paywallId: id, ...body }, config);
  if (!deliverable) throw new UnlockRefusal(TEXTS.invalidPaywallData);
  return null;
}

/** What has an address in place of files. */
const TO_OPEN = ['link', 'bundle'];

/** What the buyer said; nothing where what was pressed leads to the content. */
function readForm(form: HTMLElement): Record<string, FormDataEntryValue> {
  return form instanceof HTMLFormElement ? Object.fromEntries(new FormData(form)) : {};
}

async function startCheckout(body: object, config: RuntimeConfig): Promise<string> {
  if (!config.checkoutApiEndpoint) throw new UnlockRefusal(TEXTS.endpointMissing);
  const address = `${config.checkoutApiEndpoint}checkout`;
  const checkout = await postJson<{ url?: string }>(address, body).catch((cause) => {
    if (!(cause instanceof RequestError)) throw cause;
    if (/DISC|PRICE|SALE|GIFT/.test(cause.code)) throw new UnlockRefusal(cause.message);
    throw new Error(CHECKOUT_FAILED, { cause });
  });
  announceClaim();
  if (!checkout.url || !isPage(checkout.url)) throw new UnlockRefusal(TEXTS.checkoutUrlMissing);
  return checkout.url;
}

/** Nothing else is opened: the browser would stay where it is, and the button busy. */
const isPage = (address: string) => /^(https?:)?\//i.test(address);
