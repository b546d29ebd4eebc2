import { say } from '../languages/say.ts';
import { definePage } from '../page.ts';
import { MessagePage } from '../ui/message-page.tsx';

export const page = definePage({
  hydrate: 'never',
  head: () => ({ title: `${say('You are offline')} · Padlink`, robots: 'noindex' }),
  Component: Offline,
});

function Offline() {
  return (
    <MessagePage figure="lock-closed" title={say('You are offline')}>
      <p>
        {say('Padlink could not be reached. Check your connection; nothing you bought is lost.')}
      </p>
      {/* biome-ignore lint/a11y/useValidAnchor: shown in place of any page, whose address this is. */}
      <a className="button button-primary text-base" href="">
        {say('Try Again')}
      </a>
    </MessagePage>
  );
}
