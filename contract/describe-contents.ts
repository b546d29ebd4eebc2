import type { LinkFace } from './drawn-cover.ts';
import { type Fact, fact, joined, texts } from './fact.ts';
import { sizeOf } from './format.ts';

/** What a buyer may get: one of its kind, and several. */
const COUNTED = /* @__PURE__ */ texts({
  'PDF document': ['{count} PDF document', '{count} PDF documents'],
  'ZIP archive': ['{count} ZIP archive', '{count} ZIP archives'],
  '7z archive': ['{count} 7z archive', '{count} 7z archives'],
  'RAR archive': ['{count} RAR archive', '{count} RAR archives'],
  Archive: ['{count} archive', '{count} archives'],
  'E-book': ['{count} e-book', '{count} e-books'],
  'Word document': ['{count} Word document', '{count} Word documents'],
  Spreadsheet: ['{count} spreadsheet', '{count} spreadsheets'],
  Presentation: ['{count} presentation', '{count} presentations'],
  'Web page': ['{count} web page', '{count} web pages'],
  Image: ['{count} image', '{count} images'],
  Audio: ['{count} audio file', '{count} audio files'],
  Video: ['{count} video', '{count} videos'],
  Text: ['{count} text file', '{count} text files'],
  Font: ['{count} font', '{count} fonts'],
  File: ['{count} other file', '{count} other files'],
});

type Kind = keyof typeof COUNTED;

const EXACT: Partial<Record<string, Kind>> = texts({
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
});

const FAMILIES: Partial<Record<string, Kind>> = texts({
  image: 'Image',
  audio: 'Audio',
  video: 'Video',
  text: 'Text',
  font: 'Font',
});

const OTHER = texts('File');

const kindOf = (mediaType: string | null): Kind =>
  EXACT[mediaType ?? ''] ?? FAMILIES[mediaType?.split('/')[0] ?? ''] ?? OTHER;

/** What kind of thing a buyer gets: "PDF document". */
export const describeMedia = (mediaType: string | null): Fact => ({ text: kindOf(mediaType) });

/** The same in every language. */
const FORMATS: Partial<Record<Kind, string>> = {
  'PDF document': 'PDF',
  'ZIP archive': 'ZIP',
  '7z archive': '7Z',
  'RAR archive': 'RAR',
  'Word document': 'DOCX',
  Spreadsheet: 'XLSX',
  Presentation: 'PPTX',
  'Web page': 'HTML',
};

/** What kind of thing a link sells, in one word: "PDF". */
export function nameFormat({ type, mediaType }: Pick<LinkFace, 'type' | 'mediaType'>): Fact {
  if (type === 'bundle') return fact('Bundle');
  const kind = kindOf(mediaType);
  return { text: type === 'link' ? 'Web' : (FORMATS[kind] ?? kind) };
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
 * What a buyer gets: "PDF document, 2.4 MB, 24 pages", or "3 files, 12 MB" and then what each kind
 * amounts to: "2 PDF documents (30 pages)".
 */
export function describeContents(files: Contents[]): Fact[] {
  const [first] = files;
  if (!first) return [fact('Web address')];
  const size = sizeOf(sum(files, ({ size }) => size));
  if (files.length > 1) {
    const number = fact('{count} files', { count: files.length });
    return [joined([number, size]), ...describeKinds(files)];
  }
  const { width, height } = first;
  const pixels = width && height ? [fact('{width} × {height} pixels', { width, height })] : [];
  return [joined([describeMedia(first.mediaType), size, ...describeLengths(files), ...pixels])];
}

function describeKinds(files: Contents[]): Fact[] {
  const kinds = Map.groupBy(files, ({ mediaType }) => kindOf(mediaType));
  // Of files of no known kind alone, their number says all.
  if (kinds.size === 1 && kinds.has(OTHER)) return [];
  return Array.from(kinds, ([kind, alike]) => {
    const [one, many] = COUNTED[kind];
    const counted = fact(alike.length === 1 ? one : many, { count: alike.length });
    const [length, ...others] = describeLengths(alike);
    return length
      ? fact('{kind} ({length})', { kind: counted, length: joined([length, ...others]) })
      : counted;
  });
}

function describeLengths(files: Contents[]): Fact[] {
  const pages = sum(files, (file) => file.pages ?? 0);
  const seconds = Math.round(sum(files, (file) => file.seconds ?? 0));
  const counted = pages === 1 ? fact('1 page') : fact('{count} pages', { count: pages });
  return [...(pages ? [counted] : []), ...(seconds ? [lengthOf(seconds)] : [])];
}

const sum = (files: Contents[], of: (file: Contents) => number) =>
  files.reduce((total, file) => total + of(file), 0);

/** "1 h 4 min", "3 min 25 s", "42 s" */
function lengthOf(seconds: number): Fact {
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) {
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
    return fact('{hours} h {minutes} min', { hours, minutes: rest });
  }
  const rest = seconds % 60;
  return minutes > 0
    ? fact('{minutes} min {seconds} s', { minutes, seconds: rest })
    : fact('{seconds} s', { seconds });
}
