import { formatBytes } from '../../contract/format-bytes.ts';
import { type FeeRate, formatCents } from '../../contract/money.ts';

/** 499 -> "$4.99" */
export function formatPrice(cents: number): string {
  return cents < 0 ? `-$${formatCents(-cents)}` : `$${formatCents(cents)}`;
}

/** 2, "sale" -> "2 sales" */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const shareFormat = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** 0.0421 -> "4.2%" */
export function formatShare(share: number): string {
  return shareFormat.format(share);
}

/** Seconds left, in the largest unit that is honest: "about 3 minutes". */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 5) return 'a few seconds';
  if (seconds < 90) return `${Math.ceil(seconds / 5) * 5} seconds`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} minutes`;
  return `${Math.round(seconds / 3600)} hours`;
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** "Nov 21, 2026", in UTC so that server and browser render the same. */
export function formatDay(time: string | number): string {
  return dayFormat.format(new Date(time));
}

/** "2026-11-21 06:38:04 UTC" */
export function formatTime(isoTime: string): string {
  return `${isoTime.slice(0, 10)} ${isoTime.slice(11, 19)} UTC`;
}

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
  pages: number | null;
  /** Pixels. */
  width: number | null;
  height: number | null;
  seconds: number | null;
}

/** What a buyer gets, in words: "PDF document, 2.4 MB, 24 pages", "3 files, 12 MB". */
export function describeContents(files: Contents[]): string {
  const [first] = files;
  if (!first) return 'Web address';
  const size = formatBytes(sum(files, ({ size }) => size));
  if (files.length > 1) return `${countOf(files.length, 'file')}, ${size}`;
  const { width, height } = first;
  const pixels = width && height ? [`${width} × ${height} pixels`] : [];
  return [describeMedia(first.mediaType), size, ...describeLengths(files), ...pixels].join(', ');
}

/** Of several files, what each kind amounts to: "2 × PDF document, 30 pages". */
export function describeKinds(files: Contents[]): string[] {
  const kinds = new Set(files.map(({ mediaType }) => describeMedia(mediaType)));
  return Array.from(kinds, (kind) => {
    const alike = files.filter(({ mediaType }) => describeMedia(mediaType) === kind);
    return [`${alike.length} × ${kind}`, ...describeLengths(alike)].join(', ');
  });
}

function describeLengths(files: Contents[]): string[] {
  const pages = sum(files, (file) => file.pages ?? 0);
  const seconds = Math.round(sum(files, (file) => file.seconds ?? 0));
  return [...(pages ? [countOf(pages, 'page')] : []), ...(seconds ? [formatLength(seconds)] : [])];
}

const sum = (files: Contents[], of: (file: Contents) => number) =>
  files.reduce((total, file) => total + of(file), 0);

/** "1 h 4 min", "3 min 25 s", "42 s" */
function formatLength(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** The fee's rate in words: "5% plus $0.30". */
export function describeFee({ basisPoints, fixedCents }: FeeRate): string {
  const share = `${basisPoints / 100}%`;
  if (fixedCents === 0) return share;
  return basisPoints === 0 ? formatPrice(fixedCents) : `${share} plus ${formatPrice(fixedCents)}`;
}
