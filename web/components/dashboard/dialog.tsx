import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef } from 'react';

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
    // Before it is taken away: only a dialog that is closed gives the focus back.
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
