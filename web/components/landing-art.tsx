import { type FeeRate, feeOf } from '../../contract/money.ts';
import { formatPrice } from '../data/format.ts';
import { LinkKey } from './link-key.tsx';
import { Lock } from './lock.tsx';

const EXAMPLE = { id: '1a2b3c4d', title: 'Exam notes', price: 499 };

/** The product in one picture: a link for sale, its lock opens, and what the creator earns. */
export function LandingArt({ fee }: { fee: FeeRate }) {
  const { id, title, price } = EXAMPLE;
  return (
    <div aria-hidden="true" className="landing-art">
      <div className="landing-sheet">
        <span className="landing-picture" />
        <span />
        <span />
        <span />
      </div>
      <div className="landing-card">
        <Lock className="lock-opens landing-lock" open />
        <p className="landing-ticket">
          <LinkKey id={id} />
          <span className="landing-title">{title}</span>
          <span className="landing-price">{formatPrice(price)}</span>
        </p>
        <p className="landing-button">Unlock Now</p>
      </div>
      <p className="landing-pill landing-pill-share">/p/{id}</p>
      <p className="landing-pill landing-pill-earn">
        You receive <b>{formatPrice(price - feeOf(price, fee))}</b>
      </p>
    </div>
  );
}
