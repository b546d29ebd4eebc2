import { PDFiumLibrary } from '@hyzyla/pdfium';

/** The words on each page, by another reader of PDFs than the one that stamps them. */
export async function readPdf(bytes: Uint8Array): Promise<string[]> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes);
  return Array.from(document.pages(), (page) => page.getText());
}
