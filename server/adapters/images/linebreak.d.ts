/** The package has no types of its own. */
declare module 'linebreak' {
  /** Where lines may be broken, by Unicode's rules (UAX 14). */
  export default class LineBreaker {
    constructor(text: string);
    /** The next place, the end of the text included. */
    nextBreak(): { position: number; required: boolean } | null;
  }
}
