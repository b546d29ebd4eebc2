import { type ReactNode, type Ref, type SyntheticEvent, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  /** Ids of what names and describes it. */
  labelledBy: string;
  describedBy?: string;
  /** Whether Escape may close it now. */
  mayClose?(): boolean;
  onClose(): void;
  children(close: () => void): ReactNode;
}

/** A dialog that is open as long as it is there. The focus returns to where it was. */
export function Dialog({ labelledBy, describedBy, mayClose, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Before it is removed: only a closed dialog returns the focus.
    return () => element?.close();
  }, []);

  function askBefore(event: SyntheticEvent) {
    if (event.target === dialog.current && mayClose && !mayClose()) event.preventDefault();
  }

  return (
    <dialog
      aria-describedby={describedBy}
      aria-labelledby={labelledBy}
      className="dialog"
      onCancel={askBefore}
      onClose={onClose}
      ref={dialog}
    >
      {children(() => dialog.current?.close())}
    </dialog>
  );
}

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
    <div className="dialog-buttons flex flex-wrap gap-3">
      <button
        aria-busy={busy}
        aria-disabled={busy}
        className={`button ${tone === 'danger' ? 'button-danger' : 'button-primary'} button-small`}
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
