import { COVER_BOX, COVER_FIGURE, drawCover } from '../../contract/drawn-cover.ts';

/** A link's drawn cover without words. Its colors are attributes: no page has a `style`. */
export function DrawnCover({ id, tone }: { id: string; tone?: number | undefined }) {
  const { ground, figure } = drawCover(id, tone);
  return (
    <svg
      aria-hidden="true"
      color={lightDark(ground)}
      focusable="false"
      preserveAspectRatio="xMidYMid slice"
      viewBox={COVER_BOX}
    >
      <path d={figure} fill={lightDark(COVER_FIGURE)} />
    </svg>
  );
}

const lightDark = ([light, dark]: readonly [string, string]) => `light-dark(${light},${dark})`;
