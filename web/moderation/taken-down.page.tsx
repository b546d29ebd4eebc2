import { SENTENCES } from '../../contract/texts.ts';
import { definePage } from '../page.ts';
import { MessagePage, SupportLine } from '../ui/message-page.tsx';

export const page = definePage({
  hydrate: 'never',
  status: () => 404,
  head: () => ({ title: 'Taken down · Padlink', robots: 'noindex' }),
  Component: ({ ctx }) => (
    <MessagePage figure="stray-key" title="Taken down">
      <p>{SENTENCES.takenDown} It can no longer be opened, bought or downloaded.</p>
      <SupportLine email={ctx.config.supportEmail} />
    </MessagePage>
  ),
});
