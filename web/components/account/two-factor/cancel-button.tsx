export function CancelButton({ onPressed }: { onPressed(): void }) {
  return (
    <button className="text-link mt-3 min-h-11 text-sm" onClick={onPressed} type="button">
      Cancel
    </button>
  );
}
