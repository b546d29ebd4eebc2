import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { say } from '../languages/say.ts';
import { needSession } from '../lib/sign-in-again.ts';
import { useHydrated } from '../lib/use-hydrated.ts';
import { ChangeFailure } from './change-failure.tsx';
import { Dialog, DialogButtons } from './dialog.tsx';

interface ActButtonProps {
  /** What the button does: "Approve". */
  words: string;
  busyWords: string;
  /** To what, for who does not see the row: "Approve the payout of $9.20". */
  label: string;
  tone: 'secondary' | 'danger';
  /** Asked before it is done; absent where it can be repeated without harm. */
  question?: Question;
  act(values: Values): Promise<unknown>;
  /** Told once it is done. */
  onDone(): Promise<void>;
}

interface Question {
  title: string;
  text: string;
  /** What is typed or chosen with it. */
  fields?: ReactNode;
  /** Of the button that does it, where it is not the same as the one that asked. */
  words?: string;
}

/** What was typed, by the names of the fields. */
type Values = Record<string, string>;

/** One act of an operator. */
export function ActButton({ words, busyWords, label, tone, question, ...acting }: ActButtonProps) {
  const [asking, setAsking] = useState(false);
  const hydrated = useHydrated();
  const { busy, error, run } = useAct(acting);
  const id = useId();

  async function send(event: FormEvent<HTMLFormElement>, close: () => void) {
    event.preventDefault();
    if (await run(readValues(event.currentTarget))) close();
  }

  return (
    <div>
      <button
        aria-busy={busy}
        aria-label={label}
        className={`button button-${tone} button-small`}
        disabled={!hydrated || busy}
        onClick={() => (question ? setAsking(true) : run({}))}
        type="button"
      >
        {busy ? busyWords : words}
      </button>
      {!asking && <ChangeFailure error={error} />}
      {asking && question && (
        <Dialog
          describedBy={`${id}-text`}
          labelledBy={`${id}-title`}
          onClose={() => setAsking(false)}
        >
          {(close) => (
            <form onSubmit={(event) => send(event, close)}>
              <h2 className="text-xl wrap-anywhere" id={`${id}-title`}>
                {question.title}
              </h2>
              <p className="mt-3 text-muted" id={`${id}-text`}>
                {question.text}
              </p>
              {question.fields && <div className="mt-5 space-y-5">{question.fields}</div>}
              <ChangeFailure error={error} />
              <div className="mt-6">
                <DialogButtons
                  busy={busy}
                  leaveWords={say('Cancel')}
                  onLeave={close}
                  tone={tone === 'danger' ? 'danger' : 'primary'}
                  words={busy ? busyWords : (question.words ?? words)}
                />
              </div>
            </form>
          )}
        </Dialog>
      )}
    </div>
  );
}

export function readValues(form: HTMLFormElement): Values {
  const entries = [...new FormData(form)];
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** Does it once at a time, and keeps why it failed. */
export function useAct({ act, onDone }: Pick<ActButtonProps, 'act' | 'onDone'>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function run(values: Values): Promise<boolean> {
    if (busy) return false;
    setBusy(true);
    setError(null);
    try {
      await needSession(act(values));
      await onDone();
      return true;
    } catch (failure) {
      setError(failure);
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { busy, error, run };
}
