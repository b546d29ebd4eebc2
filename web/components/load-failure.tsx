import { Alert } from './alert.tsx';

/** A list that could not be loaded, and the way to load it again. */
export function LoadFailure({ message, href }: { message: string; href: string }) {
  return (
    <div className="mb-6 flex flex-wrap items-center gap-3">
      <Alert>{message}</Alert>
      <a className="button button-secondary button-small" href={href}>
        Try again
      </a>
    </div>
  );
}
