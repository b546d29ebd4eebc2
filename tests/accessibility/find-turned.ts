import type { Page } from 'playwright-core';
import { BEGINNING, END } from '../states/write-in-hebrew.ts';

/**
 * Finds, in a scene that `writeInHebrew` has changed, what people wrote that no element or sign of
 * direction isolates: it could turn the words around it. So could a field without a direction.
 */
export function findTurned(page: Page): Promise<string[]> {
  return page.evaluate(
    ([beginning, end]) => {
      // What nobody sees, and what programs say.
      const UNSEEN = 'script, style, template, code, option, .sr-only';
      const found: string[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode as Text;
        if (!parentElement || parentElement.closest(UNSEEN)) continue;
        const words = parentElement.localName === 'pre' ? dropEnds(data) : data;
        if (isHebrew(dropIsolated(words)) && !isAlone(parentElement)) {
          found.push(parentElement.outerHTML);
        }
      }
      for (const field of document.querySelectorAll('input, textarea')) {
        const { value, dir } = field as HTMLInputElement;
        if (isHebrew(value) && dir !== 'auto') found.push(field.outerHTML);
      }
      return found;

      function isHebrew(text: string): boolean {
        return /[\u0590-\u05ff]/.test(text);
      }

      /** In lines that begin with what programs say, nothing stands behind what people wrote. */
      function dropEnds(text: string): string {
        return text.replace(new RegExp(`^([0-9a-f]{64}  )${beginning} .* ${end}$`, 'gm'), '$1');
      }

      function dropIsolated(text: string): string {
        const rest = text.replace(/\u2068[^\u2068\u2069]*\u2069/g, '');
        return rest === text ? rest : dropIsolated(rest);
      }

      /** Whether an element around it, up to the next block, has its direction and nothing else. */
      function isAlone(parent: Element): boolean {
        for (let element: Element | null = parent; element; element = element.parentElement) {
          const { display, unicodeBidi } = getComputedStyle(element);
          const hasOwn =
            element.localName === 'bdi' ||
            element.getAttribute('dir') === 'auto' ||
            unicodeBidi === 'plaintext';
          const text = element.textContent?.trim() ?? '';
          if (hasOwn && text.startsWith(beginning) && text.endsWith(end)) return true;
          if (display !== 'inline') return false;
        }
        return false;
      }
    },
    [BEGINNING, END] as const,
  );
}
