import { useEffect, useEffectEvent, useState } from 'react';
import { checkUrl } from '../../contract/link-rules.ts';
import { completeUrl } from './upload-draft.ts';

interface UploadDropsOptions {
  disabled: boolean;
  onFile(file: File): void;
  onUrl(url: string): void;
}

/** A file or web address dropped or pasted into the upload page, and the message about it. */
export function useUploadDrops({ disabled, onFile, onUrl }: UploadDropsOptions) {
  const [said, setSaid] = useState('');
  const held = usePageDrops({
    onFiles([file, ...others]) {
      if (disabled || !file) return;
      onFile(file);
      setSaid(others.length > 0 ? describeRest(file) : `${file.name} was chosen.`);
    },
    onText(text) {
      if (disabled || !isUrl(text)) return;
      onUrl(text.trim());
      setSaid('The web address was filled in.');
    },
  });
  return { held: held && !disabled, said, forget: () => setSaid('') };
}

function describeRest(file: File): string {
  return `One file at a time: only ${file.name} was chosen. To sell several together, put them into one ZIP file.`;
}

function isUrl(text: string): boolean {
  return !/\s/.test(text.trim()) && checkUrl(completeUrl(text)) === undefined;
}

/** What was dropped into the page, or pasted while no field was in use. */
interface PageDrops {
  /** At least one. */
  onFiles(files: File[]): void;
  onText(text: string): void;
}

/** Takes files and text for the whole page. True while files are held over it. */
function usePageDrops(drops: PageDrops): boolean {
  const [held, setHeld] = useState(false);
  const takeFiles = useEffectEvent((files: FileList | undefined) => {
    if (files?.length) drops.onFiles([...files]);
    return Boolean(files?.length);
  });
  const takePaste = useEffectEvent((event: ClipboardEvent) => {
    if (isInField(event.target)) return;
    if (takeFiles(event.clipboardData?.files)) event.preventDefault();
    else drops.onText(event.clipboardData?.getData('text/plain') ?? '');
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
      takeFiles(event.dataTransfer?.files);
    };
    addEventListener('dragenter', hold(1), { signal });
    addEventListener('dragleave', hold(-1), { signal });
    addEventListener('dragover', allow, { signal });
    addEventListener('drop', drop, { signal });
    addEventListener('paste', takePaste, { signal });
    return () => listening.abort();
  }, []);

  return held;
}

/** And not a selected text or a picture of this page. */
function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

/** Text is pasted into a field as anywhere; the chooser of files is none. */
function isInField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('textarea, input:not([type=file])');
}
