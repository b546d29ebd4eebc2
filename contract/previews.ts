/** What the page shows of a link's first file before it is paid for. */
export const PREVIEWS = ['none', 'first-page', 'blurred', 'excerpt'] as const;

export type Preview = (typeof PREVIEWS)[number];

const FITTING: [RegExp, Exclude<Preview, 'none'>][] = [
  [/^application\/pdf$/, 'first-page'],
  [/^image\/(png|jpeg|webp|avif|gif)$/, 'blurred'],
  [/^audio\/(mpeg|wav)$/, 'excerpt'],
];

/** The one kind of preview that can be made of a file of this media type; null if none can. */
export function fittingPreview(mediaType: string | null): Exclude<Preview, 'none'> | null {
  return FITTING.find(([type]) => type.test(mediaType ?? ''))?.[1] ?? null;
}
