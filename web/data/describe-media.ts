const EXACT: Record<string, string> = {
  'application/pdf': 'PDF document',
  'application/zip': 'ZIP archive',
  'application/x-zip-compressed': 'ZIP archive',
  'application/x-7z-compressed': '7z archive',
  'application/gzip': 'Archive',
  'application/epub+zip': 'E-book',
  'application/msword': 'Word document',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Spreadsheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'Presentation',
  'text/csv': 'Table (CSV)',
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
