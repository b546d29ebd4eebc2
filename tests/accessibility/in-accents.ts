import { ACCENTS } from '../../web/languages/in-language.ts';

/** What `en-XA` puts around and behind a sentence. */
const FRAME = '(?:[[\\]]| ~{4})*';

/** A letter or space as such, but no letter that says something in a regular expression, as in \d. */
const LETTERS = /(?<!\\)[a-z ]/gi;

const accept = (source: string) =>
  source.replace(LETTERS, (letter) => `${FRAME}[${letter}${ACCENTS[letter] ?? ''}]`) + FRAME;

/** Finds English words, and the same in `en-XA`. */
function heard(words: string | RegExp, exact = false): RegExp {
  if (words instanceof RegExp) return new RegExp(accept(words.source), words.flags);
  const source = accept(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return exact ? new RegExp(`^${source}$`) : new RegExp(source, 'i');
}

interface Options {
  name?: string | RegExp;
  hasText?: string | RegExp;
  exact?: boolean;
}

function hear(method: string, given: unknown[]): unknown[] {
  const [first, options] = given as [string | RegExp, Options | undefined];
  if (method === 'getByRole' && options?.name !== undefined) {
    return [first, { ...options, name: heard(options.name, options.exact) }];
  }
  if (/^getBy(?!Role|TestId)/.test(method)) return [heard(first, options?.exact)];
  if (method === 'filter') {
    const { hasText, ...others } = first as unknown as Options;
    return [{ ...others, ...(hasText !== undefined && { hasText: heard(hasText) }) }];
  }
  return given;
}

/** A page, or a part of one, in `en-XA`, in which all is found by what it is called in English. */
export function inAccents<Part extends object>(part: Part): Part {
  return new Proxy(part, {
    get(_, name) {
      const value = Reflect.get(part, name);
      if (typeof value !== 'function' || name === 'constructor') return value;
      return (...given: unknown[]) => {
        const found = Reflect.apply(value, part, hear(String(name), given));
        return typeof found === 'object' && found !== null && 'getByRole' in found
          ? inAccents(found)
          : found;
      };
    },
  });
}
