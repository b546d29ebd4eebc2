/** What a link without a picture has in its row; a blob that no row names is swept. */
export const NO_COVER = { cover: null, cover_width: null, cover_height: null };
