/** What a link without a picture has in its row; the blob it had is recorded as unneeded. */
export const NO_COVER = { cover: null, cover_width: null, cover_height: null };
