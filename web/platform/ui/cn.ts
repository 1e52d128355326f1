import { type ClassValue, clsx } from 'clsx';

/** The properties that a class prefix sets, separated by spaces. No class names the left or the right side. */
const PROPERTIES_BY_PREFIX: Record<string, string> = {
  p: 'pt pe pb ps',
  px: 'ps pe',
  py: 'pt pb',
  m: 'mt me mb ms',
  mx: 'ms me',
  my: 'mt mb',
  size: 'w h',
  inset: 'top inset-e bottom inset-s',
  'inset-x': 'inset-s inset-e',
  'inset-y': 'top bottom',
  gap: 'gap-x gap-y',
  overflow: 'overflow-x overflow-y',
  'border-x': 'border-s border-e',
  'border-y': 'border-t border-b',
  border: 'border-t border-e border-b border-s',
};
/** Class prefixes that set one property of the same name. */
const SINGLE_PROPERTIES = new Set(
  (
    'pt pe pb ps mt me mb ms w h min-w min-h max-w max-h top inset-e bottom inset-s gap-x gap-y z order ' +
    'opacity leading tracking aspect basis col-span col-start row-span row-start grid-cols grid-rows items justify ' +
    'justify-items self justify-self content place-content place-items overflow-x overflow-y ' +
    'border-t border-e border-b border-s duration cursor select shadow bg fill stroke whitespace line-clamp transition grow ' +
    'shrink object pointer-events outline-offset underline-offset align space-x space-y resize'
  ).split(' '),
);

/** The variants of a class, such as `md:hover:` or `[&>svg]:`. */
const VARIANTS = /^(?:(?:\[[^\]]*\]|[^[\]:])+:)*/;
const BORDER_WIDTH = /^(border(?:-[xytebs])?)(?:-\d+)?$/;
/** What classes set that no prefix tells, the first that matches. */
const PROPERTIES_BY_PATTERN: readonly (readonly [RegExp, string])[] = [
  [
    /^(block|inline|inline-block|flex|inline-flex|grid|inline-grid|hidden|contents|table|table-cell)$/,
    'display',
  ],
  [/^(static|fixed|absolute|relative|sticky)$/, 'position'],
  [/^text-(xs|sm|base|lg|\d?xl)$/, 'font-size leading'],
  [/^text-(start|center|end|justify)$/, 'text-align'],
  [/^text-(wrap|nowrap|balance|pretty)$/, 'text-wrap'],
  [/^border-(solid|dashed|dotted|none)$/, 'border-style'],
  [/^flex-(wrap|nowrap)$/, 'flex-wrap'],
  [/^flex-(row|col)$/, 'flex-direction'],
  [/^font-(sans|display|mono)$/, 'font-family'],
  [/^rounded(-(none|xs|sm|md|lg|\d?xl|full))?$/, 'rounded'],
  [/^text-[a-z]/, 'color'],
  [/^border-[a-z]{2}/, 'border-color'],
  [/^font-[a-z]/, 'font-weight'],
];

function propertiesOf(name: string): string {
  const border = BORDER_WIDTH.exec(name)?.[1];
  if (border) return PROPERTIES_BY_PREFIX[border] ?? border;
  const sets = PROPERTIES_BY_PATTERN.find(([pattern]) => pattern.test(name))?.[1];
  if (sets) return sets;
  const positive = name.replace(/^-/, '');
  for (let end = positive.length; end > 0; end = positive.lastIndexOf('-', end - 1)) {
    const key = positive.slice(0, end);
    if (SINGLE_PROPERTIES.has(key)) return key;
    if (PROPERTIES_BY_PREFIX[key]) return PROPERTIES_BY_PREFIX[key];
  }
  return '';
}

/** Returns the properties of a class with its variants, such as `hover:color`; none if unknown. */
const variantPropertiesOf = memoize((word) => {
  const at = VARIANTS.exec(word)?.[0].length ?? 0;
  const sets = propertiesOf(word.slice(at));
  return sets === '' ? [] : sets.split(' ').map((each) => word.slice(0, at) + each);
});

const merge = memoize((classes) => {
  const taken = new Set<string>();
  const kept: string[] = [];
  for (const word of classes.split(' ').reverse()) {
    const words = variantPropertiesOf(word);
    if (words.length > 0 && words.every((each) => taken.has(each))) continue;
    for (const each of words) taken.add(each);
    kept.unshift(word);
  }
  return kept.join(' ');
});

/** Caches the results of `compute`. The cache is bounded by the number of class strings in the code. */
function memoize<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const result = results.get(text) ?? compute(text);
    results.set(text, result);
    return result;
  };
}

/**
 * Joins class names; of conflicting Tailwind classes the last one wins. The merging is ours because
 * tailwind-merge adds 8 kB (gzip) to the first load; cn.test.ts compares the two.
 */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
