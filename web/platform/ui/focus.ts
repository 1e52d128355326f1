const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled, [type="hidden"]), select:not(:disabled), ' +
  'textarea:not(:disabled), [tabindex="0"]';
const ROW = 'li,tr,article';

/** Where an element stands, so that the focus can move on when the element is gone. */
export type FocusPath = {
  element: HTMLElement;
  /** Its ancestors, the nearest first. */
  ancestors: readonly Element[];
  /** The row of a list that it is in, then the rows after it, then those before it, the nearest first. */
  rows: readonly Element[];
  /** Where the focus was when the dialog opened that it is in: another dialog may take the place of that one. */
  outer?: FocusPath | undefined;
};

/** Remembers where an element stands. */
export function focusPathOf(element: HTMLElement, outer?: FocusPath): FocusPath {
  const ancestors: Element[] = [];
  for (let each = element.parentElement; each; each = each.parentElement) ancestors.push(each);
  const row = element.closest(ROW);
  const siblings = row ? [...(row.parentElement?.children ?? [])] : [];
  const index = row ? siblings.indexOf(row) : -1;
  return {
    element,
    ancestors,
    rows: row ? [...siblings.slice(index), ...siblings.slice(0, index).reverse()] : [],
    outer,
  };
}

/** Returns whether an element is in the document and can have the focus. */
const isReachable = (element: HTMLElement): boolean =>
  element.isConnected &&
  !element.matches(':disabled') &&
  element.closest('[inert], [hidden]') === null &&
  (element.checkVisibility?.() ?? true);

const focusableIn = (element: Element): HTMLElement | undefined =>
  [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].find(isReachable);

/**
 * Focuses the element of a path or, when it is gone, what stands nearest: its row, the next row, the
 * one before, the part of the page it was in, what opened the dialog it was in, and at last the page.
 */
export function restoreFocus({ element, ancestors, rows, outer }: FocusPath): void {
  if (isReachable(element)) {
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
  const isInPage = (each: Element) => each.isConnected && !each.matches('main,body,html');
  const parts = ancestors.filter((each) => isInPage(each) && each.matches('section,form,ul,table'));
  for (const place of [...rows.filter((row) => row.isConnected), ...parts]) {
    const next = focusableIn(place);
    if (!next) continue;
    next.focus({ preventScroll: true });
    return;
  }
  if (outer) restoreFocus(outer);
  else document.getElementById('main')?.focus({ preventScroll: true });
}
