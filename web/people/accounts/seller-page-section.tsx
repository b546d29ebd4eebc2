import { useState } from 'react';
import type { SellerPageDetails } from '../../../contract/account-details.ts';
import { MAX_SELLER_LINKS } from '../../../contract/limits.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { graphql } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { Field, TextArea } from '../../ui/field.tsx';
import { PicturePicker } from '../../ui/picture-picker.tsx';
import { AccountSection, SectionForm, useSectionForm } from './section.tsx';

interface SellerPageSectionProps {
  config: RuntimeConfig;
  page: SellerPageDetails;
}

/** A place for all of a creator's links. */
export function SellerPageSection({ config, page }: SellerPageSectionProps) {
  const [status, setStatus] = useState('');
  const [handle, setHandle] = useState(page.handle);
  const [picture, setPicture] = useState(page.picture);
  const form = useSectionForm({
    check: () => ({}),
    async send({ handle: typed = '', about = '', links = '' }) {
      const input = { handle: typed, about, links: links.split('\n') };
      const { setSellerPage: kept } = await requestGraphql(config, change, input);
      setHandle(kept);
      setStatus(say(kept ? 'Saved. Your page is public.' : 'Saved. You have no page.'));
    },
  });
  const address = `${config.origin}/s/`;
  return (
    <AccountSection
      explanation={say(
        'A page of your own with all your listed links. Leave the address blank to have none.',
      )}
      onBegun={() => setStatus('')}
      status={status}
      title={say('Seller page')}
    >
      {handle && (
        <p className="mb-5">
          <a
            className="text-link inline-flex min-h-11 items-center wrap-anywhere"
            href={`/s/${handle}`}
          >
            {address + handle}
          </a>
        </p>
      )}
      <SectionForm busyLabel={say('Saving...')} form={form} submitLabel={say('Save seller page')}>
        <Field
          autoCapitalize="none"
          autoComplete="off"
          defaultValue={page.handle ?? ''}
          error={form.errors.handle}
          hint={say(
            '{address} Letters from a to z, digits and hyphens. If you change it, the old address leads to the new one for a year.',
            { address: `${address}…` },
          )}
          label={say('Address')}
          name="handle"
          spellCheck={false}
        />
        <TextArea
          defaultValue={page.about ?? ''}
          error={form.errors.about}
          label={say('About you')}
          name="about"
        />
        <TextArea
          defaultValue={page.links.join('\n')}
          error={form.errors.links}
          hint={say('At most {count}, one on each line, such as https://example.com.', {
            count: MAX_SELLER_LINKS,
          })}
          label={say('Your other pages')}
          name="links"
          rows={3}
          spellCheck={false}
        />
      </SectionForm>
      <h3 className="mt-6 text-base">{say('Picture')}</h3>
      {picture && (
        <img
          alt=""
          className="card mt-3 w-40"
          height={picture.height}
          src={picture.url}
          width={picture.width}
        />
      )}
      <PicturePicker
        hint={say('PNG, JPEG, WebP, AVIF or GIF, at most 10 MB. It is cropped to a square.')}
        onChanged={setPicture}
        path="/account/picture"
        picture={picture}
        texts={{
          remove: say('Remove picture'),
          saved: say('Saved. Your page shows the new picture.'),
          removed: say('Removed.'),
        }}
      />
    </AccountSection>
  );
}

const change = graphql(`
  mutation SetSellerPage($handle: String, $about: String, $links: [String!]!) {
    setSellerPage(handle: $handle, about: $about, links: $links)
  }
`);
