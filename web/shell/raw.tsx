import type { ComponentProps, ReactNode } from 'react';

type RawProps<Tag extends 'div' | 'figure' | 'main' | 'script' | 'style'> = ComponentProps<Tag> & {
  as: Tag;
  html: string;
};

/** Content written as it is. Only for what this program made itself and escaped where needed. */
export function Raw<Tag extends 'div' | 'figure' | 'main' | 'script' | 'style'>({
  as,
  html,
  ...rest
}: RawProps<Tag>) {
  const Element: string = as;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the one place for it; see above.
  return <Element {...rest} dangerouslySetInnerHTML={{ __html: html }} />;
}

interface StillProps {
  as?: 'div' | 'figure';
  className?: string;
  children: ReactNode;
}

/**
 * What the server alone draws: its children are no part of a browser's scripts, where `SSR` is false,
 * and stay there as they came.
 */
export function Still({ as: Element = 'div', children, ...rest }: StillProps) {
  return import.meta.env.SSR ? (
    <Element {...rest}>{children}</Element>
  ) : (
    <Raw as={Element} {...rest} html="" suppressHydrationWarning />
  );
}

/** JSON that cannot end the script element it stands in. */
export function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
