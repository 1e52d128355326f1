import escapeHtml from 'escape-html';

/** Markup that is safe to put into other markup. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | undefined | readonly (Html | undefined)[];

const toText = (part: Part): string => {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(toText).join('');
  return escapeHtml(String(part));
};

/** Markup from a template; every text put into it is escaped, other markup is not. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(String.raw({ raw: strings }, ...parts.map(toText)));
