import { useEffect, useEffectEvent, useState } from 'react';
import { checkUrl } from '../../contract/link-rules.ts';
import { type Choice, readTransfer } from './choose-files.ts';
import { completeUrl } from './upload-draft.ts';

/** What was dropped into the page, or pasted while no field was in use. */
interface UploadDrops {
  disabled: boolean;
  onChoice(choice: Choice): void;
  onUrl(url: string): void;
}

/** Takes files, folders and web addresses for the whole page. True while they are held over it. */
export function useUploadDrops({ disabled, ...drops }: UploadDrops): boolean {
  const [held, setHeld] = useState(false);
  const takeFiles = useEffectEvent((data: DataTransfer | null) => {
    const choice = data && readTransfer(data);
    choice?.then(takeChoice).catch(() => takeChoice({ files: [], hidden: 0 }));
    return Boolean(choice);
  });
  // Reading a folder takes its time: what is chosen meanwhile counts.
  const takeChoice = useEffectEvent((choice: Choice) => {
    if (!disabled) drops.onChoice(choice);
  });
  const takePaste = useEffectEvent((event: ClipboardEvent) => {
    if (isInField(event.target)) return;
    if (takeFiles(event.clipboardData)) return event.preventDefault();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!disabled && isUrl(text)) drops.onUrl(text.trim());
  });

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    // Each element that is entered comes before the one that is left.
    let depth = 0;
    const hold = (change: number) => (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      depth += change;
      setHeld(depth > 0);
    };
    const allow = (event: DragEvent) => {
      if (holdsFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      allow(event);
      depth = 0;
      setHeld(false);
      takeFiles(event.dataTransfer);
    };
    addEventListener('dragenter', hold(1), { signal });
    addEventListener('dragleave', hold(-1), { signal });
    addEventListener('dragover', allow, { signal });
    addEventListener('drop', drop, { signal });
    addEventListener('paste', takePaste, { signal });
    return () => listening.abort();
  }, []);

  return held && !disabled;
}

function isUrl(text: string): boolean {
  return !/\s/.test(text.trim()) && checkUrl(completeUrl(text)) === undefined;
}

/** And not a selected text or a picture of this page. */
function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

/** Text is pasted into a field as anywhere; the chooser of files is none. */
function isInField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('textarea, input:not([type=file])');
}
