/** The part of the light that a color of sRGB gives off, from 0 to 1 (WCAG 2.2, relative luminance). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const share = Number.parseInt(color.slice(place, place + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Where black and white are as readable, at 4.58:1: above the 4.5:1 that WCAG asks for. */
const MIDDLE = Math.sqrt(1.05 * 0.05) - 0.05;

/**
 * The color of words on an accent: black or white, whichever can be read better.
 * @param accent such as #f2bb3b
 */
export const wordsOn = (accent: string): '#000000' | '#ffffff' =>
  luminanceOf(accent) > MIDDLE ? '#000000' : '#ffffff';
