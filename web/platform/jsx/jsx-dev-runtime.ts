import type { ElementType, Key, ReactElement } from 'react';
import { jsxDEV as reactJsxDev } from 'react/jsx-dev-runtime';
import { withTextApart } from './jsx-runtime.ts';

export { Fragment, type JSX } from 'react/jsx-dev-runtime';

type Rest = [key: Key | undefined, isStatic: boolean, source?: never, self?: unknown];

/** What {@link jsx} is, in development and in tests. */
export function jsxDEV(
  type: ElementType,
  props: { children?: unknown },
  ...[key, isStatic, source, self]: Rest
): ReactElement {
  const apart = withTextApart(type, props);
  // React asks for keys in lists; children that get elements here were written one by one.
  const isList = Array.isArray(apart.children) && (isStatic || apart !== props);
  return reactJsxDev(type, apart, key, isList, source, self);
}
