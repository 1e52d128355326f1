import { type ClassValue, clsx } from 'clsx';

/** What a class sets, by the part of its name before the value; where several, each is one word. */
const SETS: Record<string, string> = {
  p: 'pt pr pb pl',
  px: 'pl pr',
  py: 'pt pb',
  m: 'mt mr mb ml',
  mx: 'ml mr',
  my: 'mt mb',
  size: 'w h',
  inset: 'top right bottom left',
  'inset-x': 'left right',
  'inset-y': 'top bottom',
  gap: 'gap-x gap-y',
  overflow: 'overflow-x overflow-y',
  'border-x': 'border-l border-r',
  'border-y': 'border-t border-b',
  border: 'border-t border-r border-b border-l',
};
/** The other names of which a later value takes the place of an earlier one. */
const SINGLE = new Set(
  (
    'pt pr pb pl mt mr mb ml w h min-w min-h max-w max-h top right bottom left gap-x gap-y z order ' +
    'opacity leading tracking aspect basis col-span col-start row-span row-start grid-cols grid-rows items justify ' +
    'justify-items self justify-self content place-content place-items overflow-x overflow-y ' +
    'border-t border-r border-b border-l duration cursor select shadow bg fill stroke whitespace line-clamp transition grow ' +
    'shrink object pointer-events outline-offset underline-offset align space-x space-y'
  ).split(' '),
);

/** What stands before the class itself, such as `md:hover:` or `[&>svg]:`. */
const CONDITIONS = /^(?:(?:\[[^\]]*\]|[^[\]:])+:)*/;
const DISPLAY =
  /^(block|inline|inline-block|flex|inline-flex|grid|inline-grid|hidden|contents|table|table-cell)$/;
const POSITION = /^(static|fixed|absolute|relative|sticky)$/;
const FONT_SIZE = /^text-(xs|sm|base|lg|\d?xl)$/;
const TEXT_ALIGN = /^text-(left|center|right|start|end|justify)$/;
const TEXT_WRAP = /^text-(wrap|nowrap|balance|pretty)$/;
const BORDER_WIDTH = /^(border(?:-[xytrbl])?)(?:-\d+)?$/;
const BORDER_STYLE = /^border-(solid|dashed|dotted|none)$/;
const FLEX_WRAP = /^flex-(wrap|nowrap)$/;
const FLEX_DIRECTION = /^flex-(row|col)$/;
const FONT_FAMILY = /^font-(sans|display|mono)$/;
const ROUNDED = /^rounded(-(none|xs|sm|md|lg|\d?xl|full))?$/;

function setsOf(name: string): string {
  if (DISPLAY.test(name)) return 'display';
  if (POSITION.test(name)) return 'position';
  if (FONT_SIZE.test(name)) return 'font-size leading';
  if (TEXT_ALIGN.test(name)) return 'text-align';
  if (TEXT_WRAP.test(name)) return 'text-wrap';
  const border = BORDER_WIDTH.exec(name)?.[1];
  if (border) return SETS[border] ?? border;
  if (BORDER_STYLE.test(name)) return 'border-style';
  if (FLEX_WRAP.test(name)) return 'flex-wrap';
  if (FLEX_DIRECTION.test(name)) return 'flex-direction';
  if (FONT_FAMILY.test(name)) return 'font-family';
  if (ROUNDED.test(name)) return 'rounded';
  if (/^text-[a-z]/.test(name)) return 'color';
  if (/^border-[a-z]{2}/.test(name)) return 'border-color';
  if (/^font-[a-z]/.test(name)) return 'font-weight';
  const positive = name.replace(/^-/, '');
  for (let end = positive.length; end > 0; end = positive.lastIndexOf('-', end - 1)) {
    const key = positive.slice(0, end);
    const sets = SETS[key] ?? (SINGLE.has(key) ? key : undefined);
    if (sets) return sets;
  }
  return '';
}

/** What a class sets and under which condition, as words such as `hover:color`; none if unknown. */
const wordsOf = remember((word) => {
  const at = CONDITIONS.exec(word)?.[0].length ?? 0;
  const sets = setsOf(word.slice(at));
  return sets === '' ? [] : sets.split(' ').map((each) => word.slice(0, at) + each);
});

const merge = remember((classes) => {
  const taken = new Set<string>();
  const kept: string[] = [];
  for (const word of classes.split(' ').reverse()) {
    const words = wordsOf(word);
    if (words.length > 0 && words.every((each) => taken.has(each))) continue;
    for (const each of words) taken.add(each);
    kept.unshift(word);
  }
  return kept.join(' ');
});

/** Works an answer out once for each text; there are only as many as the sources hold. */
function remember<Answer>(work: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    let answer = answers.get(text);
    if (answer === undefined) {
      answer = work(text);
      answers.set(text, answer);
    }
    return answer;
  };
}

/** Joins class names; of two Tailwind classes that set the same, the later one stands. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
