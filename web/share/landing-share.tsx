import { ShareMeta } from './share-meta.tsx';
import type { ShareProps } from './share-props.ts';

/** What other sites show of the landing page: its words beside the product's icon. */
export function LandingShare({ head, ctx }: ShareProps<unknown>) {
  return (
    <ShareMeta
      names={{ 'twitter:card': 'summary' }}
      properties={{
        'og:type': 'website',
        'og:site_name': 'Padlink',
        'og:title': head.title,
        'og:description': head.description,
        'og:url': head.canonical,
        'og:image': `${ctx.config.origin}/icon-512.png`,
        'og:image:alt': 'A closed padlock',
      }}
    />
  );
}
