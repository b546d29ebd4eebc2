import { say } from '../languages/say.ts';
import { definePage } from '../page.ts';
import { MessagePage, WaysOut } from '../ui/message-page.tsx';

export const page = definePage({
  hydrate: 'never',
  status: () => 404,
  head: () => ({ title: say('Page not found'), robots: 'noindex' }),
  Component: NotFound,
});

function NotFound() {
  return (
    <MessagePage figure="stray-key" title={say('Page not found')}>
      <p>{say('There is nothing at this address. It may have been mistyped or moved.')}</p>
      <WaysOut />
    </MessagePage>
  );
}
