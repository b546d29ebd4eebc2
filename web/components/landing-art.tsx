import { LinkKey } from './link-key.tsx';
import { Lock } from './lock.tsx';

/** The product in one picture: sheets behind a lock, a link with a price, and the lock opens. */
export function LandingArt() {
  return (
    <div aria-hidden="true" className="landing-art">
      <Sheet className="landing-sheet-back" />
      <Sheet className="landing-sheet-front" />
      <Lock className="lock-opens landing-lock" open />
      <p className="landing-pill">
        <LinkKey className="w-12" id="1a2b3c4d" />
        <span>/p/1a2b3c4d</span>
        <span className="font-semibold text-brass">$4.99</span>
      </p>
    </div>
  );
}

function Sheet({ className }: { className: string }) {
  return (
    <div className={`landing-sheet ${className}`}>
      <span className="landing-picture" />
      <span />
      <span />
      <span />
      <span />
    </div>
  );
}
