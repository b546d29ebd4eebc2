import { signInAddress } from '../../data/sign-in-again.ts';

/** The way to go on after the session ended. */
export function SignInHint({ kind }: { kind: 'file' | 'link' }) {
  return (
    <p className="mt-3">
      <a
        className="text-link inline-flex min-h-11 items-center font-medium"
        href={`${signInAddress()}&mode=sign-in`}
      >
        Sign in to go on
      </a>
      <span className="block text-sm text-muted">
        What you typed is kept.{kind === 'file' && ' Choose the file once more after that.'}
      </span>
    </p>
  );
}
