import { formatBytes } from './format.ts';

const EXACT: Record<string, string> = {
  'application/pdf': 'PDF document',
  'application/zip': 'ZIP archive',
  'application/x-7z-compressed': '7z archive',
  'application/vnd.rar': 'RAR archive',
  'application/gzip': 'Archive',
  'application/x-tar': 'Archive',
  'application/epub+zip': 'E-book',
  'application/x-mobipocket-ebook': 'E-book',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Spreadsheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'Presentation',
  'text/html': 'Web page',
};

const FAMILIES: Record<string, string> = {
  image: 'Image',
  audio: 'Audio',
  video: 'Video',
  text: 'Text',
  font: 'Font',
};

/** What kind of thing a buyer gets, in words: "PDF document". */
export function describeMedia(mediaType: string | null): string {
  if (!mediaType) return 'File';
  return EXACT[mediaType] ?? FAMILIES[mediaType.split('/')[0] ?? ''] ?? 'File';
}

interface Contents {
  mediaType: string;
  /** Bytes. */
  size: number;
  pages?: number;
  /** Pixels. */
  width?: number;
  height?: number;
  seconds?: number;
}

/**
 * What a buyer gets, in words: "PDF document, 2.4 MB, 24 pages", or "3 files, 12 MB" and then what
 * each kind amounts to: "2 PDF documents (30 pages)".
 */
export function describeContents(files: Contents[]): string[] {
  const [first] = files;
  if (!first) return ['Web address'];
  const size = formatBytes(sum(files, ({ size }) => size));
  if (files.length > 1) return [`${files.length} files, ${size}`, ...describeKinds(files)];
  const { width, height } = first;
  const pixels = width && height ? [`${width} × ${height} pixels`] : [];
  return [[describeMedia(first.mediaType), size, ...describeLengths(files), ...pixels].join(', ')];
}

function describeKinds(files: Contents[]): string[] {
  const kinds = new Set(files.map(({ mediaType }) => describeMedia(mediaType)));
  // Of files of no known kind alone, their number says all.
  if (kinds.size === 1 && kinds.has('File')) return [];
  return Array.from(kinds, (kind) => {
    const alike = files.filter(({ mediaType }) => describeMedia(mediaType) === kind);
    const lengths = describeLengths(alike).join(', ');
    return `${countKind(kind, alike.length)}${lengths && ` (${lengths})`}`;
  });
}

const COUNTED: Record<string, string> = {
  Audio: 'audio file',
  Text: 'text file',
  File: 'other file',
};

/** "1 text file", "2 PDF documents" */
function countKind(kind: string, count: number): string {
  const isName = /^(?:[A-Z0-9]{2}|7z|Word)/.test(kind);
  const counted = COUNTED[kind] ?? (isName ? kind : kind.toLowerCase());
  return `${count} ${counted}${count === 1 ? '' : 's'}`;
}

function describeLengths(files: Contents[]): string[] {
  const pages = sum(files, (file) => file.pages ?? 0);
  const seconds = Math.round(sum(files, (file) => file.seconds ?? 0));
  const counted = pages === 1 ? '1 page' : `${pages} pages`;
  return [...(pages ? [counted] : []), ...(seconds ? [formatLength(seconds)] : [])];
}

const sum = (files: Contents[], of: (file: Contents) => number) =>
  files.reduce((total, file) => total + of(file), 0);

/** "1 h 4 min", "3 min 25 s", "42 s" */
function formatLength(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
