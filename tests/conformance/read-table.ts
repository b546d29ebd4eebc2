/** One row of docs/spec-conformance.md, or of docs/promises.md. */
export type Row = {
  line: number;
  /** Words of the specification, as they stand there; a promise. */
  statement: string;
  /** How an open or paywall-defeating point is read, or –; what keeps the promise. */
  reading: string;
  /** Files of the product. */
  implementation: string[];
  /** 'tests/a.test.ts › title of the test' */
  proofs: string[];
};

const COLUMNS = ['statement', 'reading', 'implementation', 'proofs'];

/** @throws Error for a row that has not exactly the four cells */
export function readTable(markdown: string): Row[] {
  return markdown.split('\n').flatMap((text, index) => {
    if (!text.startsWith('|') || /^\|[-|\s]+$/.test(text)) return [];
    const cells = text.replace(/^\||\|$/g, '').split(/(?<!\\)\|/);
    if (cells.length !== COLUMNS.length) {
      throw new Error(`Line ${index + 1} has ${cells.length} cells`);
    }
    const [statement = '', reading = '', implementation = '', proofs = ''] = cells.map((cell) =>
      cell.trim(),
    );
    if (statement === 'Statement' || statement === 'Promise') return [];
    return [
      {
        line: index + 1,
        statement,
        reading,
        implementation: [...implementation.matchAll(/`([^`]+)`/g)].map(([, path]) => path ?? ''),
        proofs: proofs ? proofs.split('<br>').map((proof) => proof.trim()) : [],
      },
    ];
  });
}
