export function CancelButton({ onPressed }: { onPressed(): void }) {
  return (
    <button
      className="text-link mt-3 min-h-11 min-w-11 text-left text-sm"
      onClick={onPressed}
      type="button"
    >
      Cancel
    </button>
  );
}
