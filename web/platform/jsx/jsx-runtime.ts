import type { ElementType, Key, ReactElement, ReactNode } from 'react';
import { Fragment, jsx as reactJsx } from 'react/jsx-runtime';

export { Fragment, type JSX } from 'react/jsx-runtime';

// Every element of the client is made here. Browsers that translate a page put each piece of text into a `<font>` of
// their own; a piece that React holds as a node beside others then stays as it was, and React fails when the piece goes
// or something comes before it. Text that is all an element has is safe: React writes it through the element. So pieces
// of text are joined, and text beside elements gets an element of its own. See docs/adr/0025.

type Props = { children?: unknown };

const isText = (child: unknown): child is string | number =>
  typeof child === 'string' || typeof child === 'number';

const isEmpty = (child: unknown): boolean => child == null || typeof child === 'boolean';

/** Translations leave white space alone, and in a flex box it has no width without an element. */
const inElement = (text: string): ReactNode =>
  text.trim() === '' ? text : reactJsx('span', { children: text });

/** Joins each run of texts in the place of its first. Every other child keeps its index, which is its key. */
function joinTexts(children: readonly unknown[]): unknown[] {
  const joined: unknown[] = [];
  let run: number | null = null;
  children.forEach((child, index) => {
    if (!isText(child)) {
      if (!isEmpty(child)) run = null;
      joined.push(child);
    } else if (run === null) {
      run = index;
      joined.push(`${child}`);
    } else {
      joined[run] += `${child}`;
      joined.push(null);
    }
  });
  return joined;
}

/** Returns the props of an element in which no text is beside something else. */
export function withTextApart(type: ElementType, props: Props): Props {
  const { children } = props;
  // A fragment's text stands beside what its parent has.
  if (isText(children) && type === Fragment) {
    return { ...props, children: inElement(`${children}`) };
  }
  if (!Array.isArray(children) || !children.some(isText)) return props;
  const joined = joinTexts(children);
  const isAllText = joined.every((child) => isText(child) || isEmpty(child));
  if (isAllText && type !== Fragment) return { ...props, children: joined.find(isText) };
  // SVG's text has no span.
  if (type === 'text') return { ...props, children: joined };
  return {
    ...props,
    children: joined.map((child) => (isText(child) ? inElement(`${child}`) : child)),
  };
}

export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement =>
  reactJsx(type, withTextApart(type, props), key);

/** In production React's own are one, too. */
export { jsx as jsxs };
