import { say } from '../../languages/say.ts';
import { nameOwnLink, paywallAddress } from '../../lib/addresses.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { OwnLink } from './link-pages.ts';

/** What is left to do for creators who have sold nothing yet. */
export function FirstSale({ link, origin }: { link: OwnLink; origin: string }) {
  const address = paywallAddress(origin, link.id);
  return (
    <section aria-labelledby="first-sale" className="card p-6 shadow-card">
      <h2 className="text-xl" id="first-sale">
        {say('Share your link to make your first sale')}
      </h2>
      <p className="mt-1.5 text-muted wrap-anywhere">
        {say(
          'Share the link to “{name}” wherever your audience is: in a post, on your site, in an email.',
          { name: nameOwnLink(link) },
        )}
      </p>
      <div className="share-address">
        <input
          aria-labelledby="first-sale"
          className="input"
          onFocus={(event) => event.currentTarget.select()}
          readOnly
          type="text"
          value={address}
        />
        <CopyButton of={say('your paywall link')} primary text={address} />
      </div>
    </section>
  );
}
