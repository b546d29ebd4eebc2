import { Lock } from './lock.tsx';

/** The product in one picture: a file behind a price, and the lock that opens. */
export function LandingArt() {
  return (
    <div aria-hidden="true" className="landing-art">
      <Lock className="landing-lock" />
    </div>
  );
}
