import { nameFormat } from '../../contract/describe-contents.ts';
import type { LinkFace } from '../../contract/drawn-cover.ts';
import { tell } from '../languages/say.ts';
import { graphql } from '../lib/graphql.ts';
import { DrawnCover } from './drawn-cover.tsx';

export const faceFields = /* @__PURE__ */ graphql(
  'fragment FaceFields on LinkFace { type mediaType cover { url width height } }',
);

interface LinkCoverProps {
  id: string;
  /** Null where nothing is known of it. */
  face: LinkFace | null;
  /** Of a drawn one, among others in a list. */
  tone: number | undefined;
  /** Says where it stands. */
  className: string;
  /** Of the link, where a drawn one has room for it. */
  title?: string;
}

/** The cover of a link, or one drawn from its id. Decoration: words beside it say the same. */
export function LinkCover({ id, face, tone, className, title }: LinkCoverProps) {
  const cover = face?.cover;
  return (
    <span
      aria-hidden="true"
      className={`link-cover ${className}`}
      data-kind={face && !cover ? tell(nameFormat(face)) : undefined}
      data-title={cover ? undefined : title}
    >
      {cover ? (
        <img alt="" height={cover.height} loading="lazy" src={cover.url} width={cover.width} />
      ) : (
        <DrawnCover id={id} tone={tone} />
      )}
    </span>
  );
}
