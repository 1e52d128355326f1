import Markdown, { type MarkdownToJSX, RuleType } from 'markdown-to-jsx/react';
import { type ComponentProps, Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { directionOf } from '#contract/platform/text/constants/reader';
import { cn } from '../../platform/ui/cn.ts';

/** A link to another page of the market, or to another site; the words alone where it leads nowhere safe. */
function TextLink({ href, children }: ComponentProps<'a'>) {
  if (!href) return children;
  if (/^\/(?!\/)/.test(href)) return <Link href={href}>{children}</Link>;
  return (
    <a href={href} rel="noreferrer">
      {children}
    </a>
  );
}

/** Pictures of other sites would show these who reads the page: their description stands for them. */
const PictureText = ({ alt }: ComponentProps<'img'>): ReactNode => alt;

/** Without the style of a column, which the content policy would refuse in HTML that comes from the server. */
const DataCell = ({ children }: ComponentProps<'td'>) => <td>{children}</td>;
const HeadCell = ({ children }: ComponentProps<'th'>) => <th>{children}</th>;

const options: MarkdownToJSX.Options = {
  // Whatever looks like HTML is shown as it was written.
  disableParsingRawHTML: true,
  forceBlock: true,
  // No heading takes the id of something else on the page.
  slugify: (heading: string) => `text-${heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}`,
  wrapper: Fragment,
  // A browser's translation would part text of its own from React: see lib/jsx.
  renderRule: (next, node, _, { key }) =>
    node.type === RuleType.text ? <span key={key}>{node.text}</span> : next(),
  overrides: {
    // The page has its title as the first heading.
    h1: { component: 'h2' },
    a: TextLink,
    img: PictureText,
    td: DataCell,
    th: HeadCell,
  },
};

/** Shows a text that an admin wrote as Markdown. */
export const MarketText = ({ body, language }: { body: string; language: string }) => (
  <div
    lang={language}
    dir={directionOf(language)}
    className={cn(
      'grid max-w-prose gap-4 wrap-anywhere [&_a]:text-leaf [&_a]:underline [&_a]:underline-offset-2',
      '[&_h2]:mt-4 [&_h2]:text-xl [&_h3]:mt-2 [&_h3]:text-lg [&_ol]:list-decimal [&_ul]:list-disc',
      '[&_:is(ol,ul)]:grid [&_:is(ol,ul)]:gap-1.5 [&_:is(ol,ul)]:ps-6',
      '[&_blockquote]:border-s-3 [&_blockquote]:border-straw [&_blockquote]:ps-5',
      '[&_:is(td,th)]:border [&_:is(td,th)]:border-hairline [&_:is(td,th)]:px-3 [&_:is(td,th)]:py-1.5',
      '[&_:is(pre,table)]:block [&_:is(pre,table)]:overflow-x-auto',
    )}
  >
    <Markdown options={options}>{body}</Markdown>
  </div>
);
