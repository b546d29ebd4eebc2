import type { PaywallLink } from '../../data/paywall-link.ts';
import { CoverEditor } from './cover-editor.tsx';
import { EmbedCodes } from './embed-codes.tsx';

export interface OwnerPanelProps {
  link: PaywallLink;
  origin: string;
  onChanged(link: PaywallLink): void;
}

/** What an owner does with the page of a link, below it. */
export function OwnerPanel({ link, origin, onChanged }: OwnerPanelProps) {
  return (
    <div className="mt-4 grid items-start gap-4 min-[52rem]:grid-cols-2">
      <CoverEditor
        cover={link.cover}
        id={link.id}
        onChanged={(cover) => onChanged({ ...link, cover })}
      />
      <EmbedCodes link={link} origin={origin} />
    </div>
  );
}
