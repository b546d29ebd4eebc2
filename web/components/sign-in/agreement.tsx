/** What creating an account means. */
export function Agreement() {
  return (
    <p className="text-sm text-muted">
      By creating an account you agree to the{' '}
      <a className="text-link" href="/terms" target="_blank" rel="noopener">
        Terms
      </a>{' '}
      and the{' '}
      <a className="text-link" href="/privacy" target="_blank" rel="noopener">
        Privacy
      </a>{' '}
      page. Minimum age 13.
    </p>
  );
}
