import type { OwnLink } from '../../data/link-pages.ts';

/** Whether a link can be bought (on sale, unless something else is said), and found. */
export function LinkStates({ link: { paused, free, unlisted } }: { link: OwnLink }) {
  return (
    <>
      {paused && <span className="badge">Paused</span>}
      {free && <span className="badge">Free</span>}
      {!paused && !free && <span className="badge">On sale</span>}
      {unlisted && <span className="badge">Unlisted</span>}
    </>
  );
}
