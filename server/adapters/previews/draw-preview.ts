import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { DrawPreview, MadePreview } from '../../catalog/links/preview.ts';
import { runConfined } from '../../ground/lib/confined-process.ts';

/** Pictures and documents are read as a whole, of recordings the beginning. */
const MAX_WHOLE_BYTES = 64 * 1024 ** 2;
const RECORDING_BYTES = 16 * 1024 ** 2;
/** More than any preview has. */
const MAX_MADE_BYTES = 4 * 1024 ** 2;
const CHILD = fileURLToPath(new URL('./draw-in-child.ts', import.meta.url));

/**
 * Makes a preview in a process of its own, because what decodes pictures and documents is not
 * JavaScript: a file that makes it crash, hang or fill its memory ends that process alone.
 */
export const drawPreview: DrawPreview = async (reader, { size, preview }) => {
  const isRecording = preview === 'excerpt';
  if (!isRecording && size > MAX_WHOLE_BYTES) return null;
  const sent = isRecording ? Math.min(size, RECORDING_BYTES) : size;
  const input = { size: sent, read: reader.read.bind(reader) };
  const { code, output } = await runConfined([CHILD, preview, String(size)], input, MAX_MADE_BYTES);
  return code === 0 ? parse(output) : null;
};

const pixels = z.number().int().min(1).max(1200).nullable();
const HEAD = z.object({
  mediaType: z.enum(['image/webp', 'audio/mpeg', 'audio/wav']),
  width: pixels,
  height: pixels,
});

/** A line of JSON, and the bytes. */
function parse(output: Buffer): MadePreview | null {
  const end = output.indexOf('\n');
  if (end < 0) return null;
  const head = HEAD.parse(JSON.parse(output.toString('utf8', 0, end)));
  return { ...head, bytes: output.subarray(end + 1) };
}
