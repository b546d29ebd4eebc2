import { randomBytes } from 'node:crypto';

/**
 * Puts the stylesheet, by far the largest part of a document, into each as bytes, so that it is
 * not encoded again with every page.
 */
export function putStyles(css: string): { place: string; encode(html: string): Buffer } {
  const styles = Buffer.from(css);
  // A title cannot hold what nobody knows.
  const place = `/*${randomBytes(16).toString('hex')}*/`;
  return {
    place,
    encode(html) {
      const start = html.indexOf(place);
      if (start < 0) return Buffer.from(html);
      const before = Buffer.from(html.slice(0, start));
      return Buffer.concat([before, styles, Buffer.from(html.slice(start + place.length))]);
    },
  };
}
