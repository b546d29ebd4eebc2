/** Pixels of the picture that other sites show of a link. */
export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;
