import { useState } from 'react';
import { checkUrl } from './check-upload.ts';
import { completeUrl } from './complete-url.ts';
import { usePageDrops } from './use-page-drops.ts';

interface UploadDropsOptions {
  disabled: boolean;
  onFile(file: File): void;
  onUrl(url: string): void;
}

/** A file or a web address dropped or pasted into the upload page, and what is said of it. */
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
      setSaid('The web address was taken over.');
    },
  });
  return { held: held && !disabled, said, forget: () => setSaid('') };
}

function describeRest(file: File): string {
  return `One file at a time: only ${file.name} was chosen. To sell several together, put them into one ZIP file.`;
}

function isUrl(text: string): boolean {
  return !/\s/.test(text.trim()) && checkUrl(text) === undefined && completeUrl(text) !== '';
}
