import { TAKEN_DOWN } from '../../../contract/texts.ts';
import { say } from '../../languages/say.ts';
import { definePage } from '../../page.ts';
import { MessagePage, SupportLine, WaysOut } from '../../ui/message-page.tsx';

export const page = definePage({
  hydrate: 'never',
  status: () => 404,
  head: () => ({ title: say('Taken down'), robots: 'noindex' }),
  Component: ({ ctx }) => (
    <MessagePage figure="stray-key" title={say('Taken down')}>
      <p>{`${say(TAKEN_DOWN)} ${say('It can no longer be opened, bought or downloaded.')}`}</p>
      <SupportLine email={ctx.config.supportEmail} />
      <WaysOut />
    </MessagePage>
  ),
});
