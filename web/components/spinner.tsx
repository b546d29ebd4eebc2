/** Says what is being waited for. */
export function Spinner({ text }: { text: string }) {
  return (
    <p className="flex items-center justify-center gap-3 text-muted" role="status">
      <span aria-hidden="true" className="spinner" />
      {text}
    </p>
  );
}
