import { Alert } from './alert.tsx';

/** The error of one field, where there is one. */
export function FieldError({ id, children }: { id?: string; children: string | undefined }) {
  if (!children) return null;
  return (
    <div className="mt-2">
      <Alert id={id}>{children}</Alert>
    </div>
  );
}
