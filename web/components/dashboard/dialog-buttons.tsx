import type { Ref } from 'react';

interface DialogButtonsProps {
  busy: boolean;
  /** What the first button does, also while it is being done. */
  words: string;
  tone: 'primary' | 'danger';
  /** Absent where the button sends the form it is in. */
  onDo?(): void;
  leaveWords: string;
  leaveRef?: Ref<HTMLButtonElement>;
  onLeave(): void;
}

/** What a dialog is for, and the way out of it. */
export function DialogButtons(props: DialogButtonsProps) {
  const { busy, words, tone, onDo, leaveWords, leaveRef, onLeave } = props;
  return (
    <div className="flex flex-wrap gap-3">
      <button
        aria-busy={busy}
        aria-disabled={busy}
        className={`button button-${tone} button-small`}
        onClick={onDo}
        type={onDo ? 'button' : 'submit'}
      >
        {words}
      </button>
      <button
        className="button button-secondary button-small"
        onClick={onLeave}
        ref={leaveRef}
        type="button"
      >
        {leaveWords}
      </button>
    </div>
  );
}
