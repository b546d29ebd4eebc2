import { useId } from 'react';
import { nameLink } from '../../../contract/name-link.ts';
import { buttonCode, scriptCode } from '../../data/embed-code.ts';
import { formatPrice } from '../../data/format.ts';
import type { PaywallLink } from '../../data/paywall-link.ts';
import { CopyButton } from '../copy-button.tsx';

interface EmbedCodesProps {
  link: PaywallLink;
  origin: string;
}

/** HTML for a creator's own site, to be copied. */
export function EmbedCodes({ link, origin }: EmbedCodesProps) {
  const id = useId();
  const price = link.free ? 'Free' : formatPrice(link.price);
  const embedded = { origin, id: link.id, name: nameLink(link), price };
  return (
    <section aria-labelledby={id} className="card p-6">
      <h2 className="text-xl" id={id}>
        On your own site
      </h2>
      <p className="mt-1.5 text-muted">Paste one of these where the button should be.</p>
      <Code
        code={buttonCode(embedded)}
        explanation="Works everywhere, and stays as you paste it."
        title="Button"
      />
      <Code
        code={scriptCode(embedded)}
        explanation="Always with the title and the price of today. No cookies, nobody else is asked."
        title="Button that stays up to date"
      />
    </section>
  );
}

function Code({ title, explanation, code }: { title: string; explanation: string; code: string }) {
  return (
    <div className="mt-5">
      <div className="flex items-center justify-between gap-4">
        <h3 className="font-medium">{title}</h3>
        <CopyButton of={`the HTML of: ${title}`} text={code} />
      </div>
      <p className="text-sm text-muted">{explanation}</p>
      <textarea
        aria-label={`HTML of: ${title}`}
        className="input mt-2 font-mono text-sm!"
        readOnly
        rows={3}
        value={code}
      />
    </div>
  );
}
