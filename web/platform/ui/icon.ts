import { type ComponentProps, createElement } from 'react';

/** An icon as its file in lucide has it. */
interface IconData {
  name: string;
  aliases?: string[];
  node: [tag: string, attributes: Record<string, string>][];
}

/**
 * Makes the component of an icon, in the place of lucide's own maker (see `vite.config.ts`): the same picture, without
 * its ways to give sizes, colours and contexts, which are several times as large and which we give by classes.
 */
export const createIcon = (icon: IconData) => (props: ComponentProps<'svg'>) => draw(icon, props);

function draw(
  { name, aliases = [], node }: IconData,
  { className = '', children, ...rest }: ComponentProps<'svg'>,
) {
  const isNamed =
    children ||
    Object.entries(rest).some(
      ([key, value]) => /^(aria-|(role|title)$)/.test(key) && value != null,
    );
  return createElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: 24,
      height: 24,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: 2,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      className: ['lucide', ...[name, ...aliases].map((each) => `lucide-${each}`), className]
        .join(' ')
        .trim(),
      'aria-hidden': isNamed ? undefined : 'true',
      ...rest,
    },
    ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    children,
  );
}
