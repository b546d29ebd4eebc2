import type { ComponentProps } from 'react';

type RawProps<Tag extends 'div' | 'main' | 'script' | 'style'> = ComponentProps<Tag> & {
  as: Tag;
  html: string;
};

/** Content written as it is. Only for what this program made itself and escaped where needed. */
export function Raw<Tag extends 'div' | 'main' | 'script' | 'style'>({
  as,
  html,
  ...rest
}: RawProps<Tag>) {
  const Element: string = as;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the one place for it; see above.
  return <Element {...rest} dangerouslySetInnerHTML={{ __html: html }} />;
}

/** JSON that cannot end the script element it stands in. */
export function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
