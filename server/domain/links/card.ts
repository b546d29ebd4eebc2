/** What the picture of a link shows that other sites put beside its address. */
export interface Card {
  id: string;
  name: string;
  seller: string | null;
  /** "$4.99" */
  price: string;
  /** The cover as an encoded image. */
  cover: Uint8Array | null;
}

/** Draws a card. @returns a PNG of CARD_WIDTH by CARD_HEIGHT pixels */
export type DrawCard = (card: Card) => Promise<Buffer>;
