import { say } from '../languages/say.ts';
import { type Picture, PictureButton } from './picture-picker.tsx';

interface CoverButtonProps {
  /** Of the link. */
  id: string;
  cover: Picture | null;
  onChanged(cover: Picture | null): void;
}

/** Adds, changes and removes the cover of a link, at once. */
export function CoverButton({ id, cover, onChanged }: CoverButtonProps) {
  return (
    <PictureButton
      onChanged={onChanged}
      path={`/p/${id}/cover`}
      picture={cover}
      texts={coverTexts()}
      words={say('Add a cover')}
    />
  );
}

/** The same words wherever a cover is changed. */
export const coverTexts = () => ({
  remove: say('Remove cover'),
  saved: say('Saved. Buyers now see the new cover.'),
  removed: say('Removed. Buyers now see your link’s own key instead.'),
});
