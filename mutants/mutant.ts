/**
 * A fault to plant in the product, and the tests that must notice it. It takes a rule out of the
 * code or moves a number, as a careless change would.
 */
export interface Mutant {
  /** What the product would do wrong, in words: "a refunded buyer keeps the download". */
  fault: string;
  /** The file it is planted in. */
  file: string;
  /** Stands exactly once in the file. */
  find: string;
  replace: string;
  /** Test files, the fewest that notice it. */
  tests: string[];
  /** The ring that notices it, where that is not the first. */
  ring?: 'long';
  /** Part of the full name of the tests to run, as a regular expression; absent: all of the files. */
  titles?: string;
}
