import type { Page } from 'playwright-core';

/** Shorter ones are labels: "Copy", "Open", "$3.00". */
const SENTENCE = /\S+ .*\S{2}.*/;
const SIZE = /\d[\d.,]* (bytes|kB|MB|GB)\b/g;

/**
 * Sentences, sizes of files, and names of what is sold and by whom, that a paywall page shows more
 * than once. Rows of a list are told apart by more than their words: two files may be alike.
 */
export async function findRepeated(page: Page): Promise<string[]> {
  const { texts, names } = await page.evaluate(readShown);
  const sentences = texts.flatMap((text) => text.split(/(?<=[.!?:;·])\s+/));
  const sizes = texts.flatMap((text) => text.match(SIZE) ?? []);
  const whole = texts.join('\n');
  return [
    ...repeatedOf(sentences.filter((sentence) => SENTENCE.test(sentence))),
    ...repeatedOf(sizes),
    ...names.filter((name) => whole.split(name).length > 2),
  ];
}

const repeatedOf = (texts: string[]) =>
  texts.filter((text, place) => texts.indexOf(text) !== place);

/** Runs in the page: what each block shows, and the names of the link and of its seller. */
function readShown() {
  const blocks = new Map<Element, string>();
  for (const root of document.querySelectorAll('.mode-banner, main')) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!element?.checkVisibility() || element.closest('.sr-only, script, textarea')) continue;
      const block = findBlock(element);
      blocks.set(block, (blocks.get(block) ?? '') + walker.currentNode.textContent);
    }
  }
  const lists = new Map<Element | null, Set<string>>();
  const texts: string[] = [];
  for (const [block, words] of blocks) {
    const list = block.closest('ul');
    const text = words.replace(/[\u2066-\u2069]/g, '').trim();
    if (list && lists.get(list)?.has(text)) continue;
    lists.set(list, (lists.get(list) ?? new Set()).add(text));
    texts.push(text);
  }
  const head = document.querySelector('article header');
  const seller = head?.querySelector('h2 + span')?.textContent?.replace(/^by /, '');
  const names = [head?.querySelector('h2')?.textContent, seller]
    .filter((name) => name !== null && name !== undefined)
    .map((name) => name.replace(/[\u2066-\u2069]/g, ''));
  return { texts, names };

  function findBlock(element: Element): Element {
    const isInline = /^(inline|contents)$/.test(getComputedStyle(element).display);
    return isInline && element.parentElement ? findBlock(element.parentElement) : element;
  }
}
