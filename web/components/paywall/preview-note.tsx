/** Above the page that its owner looks at as a buyer would. */
export function PreviewNote({ id }: { id: string }) {
  return (
    <aside
      aria-label="Preview"
      className="card mb-4 flex flex-wrap items-center justify-between gap-x-4 px-5 py-1 text-sm"
    >
      <p>This is what a buyer sees.</p>
      <a className="text-link inline-flex min-h-11 items-center font-medium" href={`/p/${id}`}>
        Back to your link
      </a>
    </aside>
  );
}
