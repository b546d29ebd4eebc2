/** The operator's address, where the words send people to support. */
export function SupportLine({ email }: { email: string | null }) {
  if (!email) return null;
  return (
    <p className="text-base">
      Support:{' '}
      <a className="text-link text-ink" href={`mailto:${email}`}>
        {email}
      </a>
    </p>
  );
}
