import { createElement, Fragment, type ReactNode } from 'react';
import { type Named, type Value, writePieces } from '#contract/platform/text/constants/texts';
import { withTextApart } from '#jsx/jsx-runtime';

/** The names of the tags in a text: 'a' in `Read <a>the terms</a>.` */
type TagsOf<Text extends string> = Text extends `${string}<${infer Name}>${infer Rest}`
  ? Name extends `/${string}`
    ? TagsOf<Rest>
    : Name | TagsOf<Rest>
  : never;

type Shown<Text extends string> = {
  readonly [Name in keyof Named<Text>]: Value extends Named<Text>[Name]
    ? ReactNode
    : Named<Text>[Name];
} & { readonly [Tag in TagsOf<Text>]: (inner: ReactNode) => ReactNode };

/** Texts get elements of their own, as in all that is written in JSX. */
const together = (pieces: ReactNode[]): ReactNode => {
  if (pieces.length === 1) return pieces[0];
  const { children } = withTextApart(Fragment, { children: pieces });
  return createElement(Fragment, null, ...(children as ReactNode[]));
};

/**
 * Writes a sentence for the present reader with elements in it, in the order of their language:
 * `rich('Read <a>the terms</a>.', { a: (inner) => <Link href="/terms">{inner}</Link> })`.
 */
export function rich<Text extends string>(text: Text, shown: Shown<Text>): ReactNode {
  const tags = Object.fromEntries(
    Object.entries(shown as Record<string, unknown>).flatMap(([name, value]) =>
      typeof value === 'function'
        ? [[name, (inner: ReactNode[]) => value(together(inner)) as ReactNode]]
        : [],
    ),
  );
  return together(writePieces<ReactNode>(text, shown as Record<string, unknown>, tags));
}
