import { LINK_ID_PATTERN } from '../../../contract/limits.ts';
import { say } from '../../languages/say.ts';
import { definePage, type PageProps } from '../../page.ts';
import { PaymentFailed } from './payment-failed.tsx';

export const page = definePage({
  hydrate: 'never',
  head: () => ({ title: say('Payment Failed'), robots: 'noindex' }),
  Component: Failed,
});

function Failed({ ctx }: PageProps<unknown>) {
  const { link } = ctx.query;
  const linkId = link && LINK_ID_PATTERN.test(link) ? link : undefined;
  return <PaymentFailed linkId={linkId} support={ctx.config.supportEmail} />;
}
