import { Alert } from './alert.tsx';

interface UnlockFailureProps {
  message: string;
  /** What is known of the cause. */
  hint?: string | undefined;
}

/** Why nothing was unlocked, and in small print what is known of the cause. */
export function UnlockFailure({ message, hint }: UnlockFailureProps) {
  return (
    <>
      <Alert>{message}</Alert>
      {hint && <p className="mt-2 text-sm text-muted">{hint}</p>}
    </>
  );
}
