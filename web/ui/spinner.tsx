/** Says what is being waited for. */
export function Spinner({ text }: { text: string }) {
  return (
    <p className="flex items-center justify-center gap-3 text-muted" role="status">
      <span aria-hidden="true" className="spinner" />
      {text}
    </p>
  );
}

/** The motif: closed in ink, open in brass. Decoration, so the words beside it carry the meaning. */
export function Lock({ open = false, className = '' }: { open?: boolean; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={`lock ${className}`}
      data-open={open}
      fill="none"
      focusable="false"
      viewBox="0 0 48 48"
    >
      <path
        className="lock-shackle"
        d="M14.5 23v-8.5a9.5 9.5 0 0 1 19 0V30"
        strokeLinecap="round"
        strokeWidth="4.5"
      />
      <rect className="lock-body" height="23" rx="6.5" width="33" x="7.5" y="21" />
      <path
        className="lock-keyhole"
        d="M24 27.5a3 3 0 0 1 1.6 5.54v3.46a1.6 1.6 0 0 1-3.2 0v-3.46A3 3 0 0 1 24 27.5Z"
      />
    </svg>
  );
}
