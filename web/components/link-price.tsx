import { formatPrice } from '../data/format.ts';

/** What a visitor pays for a link: nothing where its creator made it free. */
export function LinkPrice({ link }: { link: { price: number; free: boolean } }) {
  return link.free ? 'Free' : formatPrice(link.price);
}
