/** A cover as buyers get it: re-encoded, without metadata. */
export interface PreparedCover {
  /** WebP. */
  bytes: Uint8Array;
  /** Pixels. */
  width: number;
  height: number;
}

/**
 * Makes a cover of a picture that somebody sent.
 * @throws DomainError INVALID_IMAGE for what is no picture, damaged or too large to be decoded
 */
export type PrepareCover = (picture: Buffer) => Promise<PreparedCover>;
