import { escapeHtml } from '../../../contract/escape-html.ts';
import { priceOf } from '../../../contract/links.ts';
import { say, tell } from '../../languages/say.ts';
import { nameLink } from '../../lib/format.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { coverTexts } from '../../ui/cover-button.tsx';
import { type Picture, PicturePicker } from '../../ui/picture-picker.tsx';
import type { PaywallLink } from './paywall-link.ts';

export interface OwnerPanelProps {
  link: PaywallLink;
  origin: string;
  onChanged(link: PaywallLink): void;
}

export function OwnerPanel({ link, origin, onChanged }: OwnerPanelProps) {
  return (
    <div className="mt-4 grid items-start gap-4 min-[52rem]:grid-cols-2">
      <CoverEditor {...link} onChanged={(cover) => onChanged({ ...link, cover })} />
      <EmbedCodes link={link} origin={origin} />
    </div>
  );
}

interface CoverEditorProps {
  id: string;
  cover: Picture | null;
  onChanged(cover: Picture | null): void;
}

function CoverEditor({ id, cover, onChanged }: CoverEditorProps) {
  return (
    <section aria-labelledby="cover" className="card p-6">
      <h2 className="text-xl" id="cover">
        {say('Cover')}
      </h2>
      <PicturePicker
        hint={say('A picture that shows what you sell, at most 10 MB. 16:9 fits best.')}
        onChanged={onChanged}
        path={`/p/${id}/cover`}
        picture={cover}
        texts={coverTexts()}
      />
    </section>
  );
}

/** HTML for a creator's own site, to copy. */
function EmbedCodes({ link, origin }: Omit<OwnerPanelProps, 'onChanged'>) {
  const price = tell(priceOf(link));
  const embedded = { origin, id: link.id, name: nameLink(link), price };
  return (
    <section aria-labelledby="site" className="card p-6">
      <h2 className="text-xl" id="site">
        {say('On your own site')}
      </h2>
      <p className="mt-1.5 text-muted">{say('Paste one of these where you want the button.')}</p>
      <Code
        code={buttonCode(embedded)}
        explanation={say('Works everywhere, and stays as you paste it.')}
        title={say('Button')}
      />
      <Code
        code={scriptCode(embedded)}
        explanation={say('Always shows the current title and price. No cookies or third parties.')}
        title={say('Button that stays up to date')}
      />
    </section>
  );
}

function Code({ title, explanation, code }: { title: string; explanation: string; code: string }) {
  const name = say('HTML of: {title}', { title });
  return (
    <div className="mt-5">
      <div className="flex items-center justify-between gap-4">
        <h3 className="font-medium">{title}</h3>
        <CopyButton of={name} text={code} />
      </div>
      <p className="text-sm text-muted">{explanation}</p>
      <textarea
        aria-label={name}
        className="input mt-2 font-mono text-sm!"
        readOnly
        rows={3}
        value={code}
      />
    </div>
  );
}

interface Embedded {
  /** Of the product, without a trailing slash. */
  origin: string;
  id: string;
  name: string;
  /** "$4.99" */
  price: string;
}

const BUTTON_STYLE =
  'display:inline-block;padding:12px 22px;border:1px solid #c58c1d;border-radius:10px;background:#fabf36;color:#2a1d05;font:600 16px/1.4 system-ui,sans-serif;text-decoration:none';

/** HTML of a button for a creator's own site: a link and nothing else. */
function buttonCode({ origin, id, name, price }: Embedded): string {
  return `<a href="${origin}/p/${id}" style="${BUTTON_STYLE}"><bdi>${escapeHtml(name)}</bdi> · ${price}</a>`;
}

/** The same, whose title and price a script keeps up to date. */
function scriptCode({ origin, id, name }: Omit<Embedded, 'price'>): string {
  return (
    `<a href="${origin}/p/${id}" data-padlink="${id}">${escapeHtml(name)}</a>\n` +
    `<script async src="${origin}/embed.js"></script>`
  );
}
