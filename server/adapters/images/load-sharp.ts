import type sharp from 'sharp';

let loading: Promise<typeof sharp> | undefined;

/** The image library, loaded when first needed: it takes time and memory that most never need. */
export function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: library }) => {
    // What was decoded for one picture is of no use to the next.
    library.cache(false);
    library.concurrency(1);
    return library;
  });
  return loading;
}
