/** Loaded when somebody sees the page, also without JavaScript: by it the server counts views. */
export function ViewPixel({ id }: { id: string }) {
  return (
    <img
      alt=""
      className="absolute opacity-0"
      fetchPriority="low"
      height="1"
      src={`/p/${id}/view.gif`}
      width="1"
    />
  );
}
