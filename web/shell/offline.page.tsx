import { say } from '../languages/say.ts';
import { definePage, type PageProps } from '../page.ts';
import { MessagePage } from '../ui/message-page.tsx';

export const page = definePage({
  hydrate: 'never',
  head: () => ({ title: say('You are offline'), robots: 'noindex' }),
  Component: Offline,
});

function Offline({ ctx }: PageProps<unknown>) {
  return (
    <MessagePage figure="lock-closed" title={say('You are offline')}>
      <p>
        {say('{site} could not be reached. Check your connection; nothing you bought is lost.', {
          site: ctx.config.siteName,
        })}
      </p>
      {/* biome-ignore lint/a11y/useValidAnchor: shown in place of any page, whose address this is. */}
      <a className="button button-primary text-base" href="">
        {say('Try Again')}
      </a>
    </MessagePage>
  );
}
